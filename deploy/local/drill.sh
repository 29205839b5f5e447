# shellcheck shell=bash
# `drill`: a backup restored, a standby promoted, on databases and nodes of its own, with a verdict (docs/adr/0044-database-drills.md).

readonly DRILL_SECONDS=8
readonly DRILL_STALL_SECONDS=3
# What one of two nodes that have a machine each can serve while the other is away, with a fifth to spare.
readonly DRILL_LOAD=40
# 500 requests, what clients were answered, and the ledger's rows of it: some thousand certificates, and about a hundred
# thousand in a rolling restart with a high load and many seconds.
readonly DRILL_HEAP=512m
# A launcher that it runs ends its nodes first.
readonly DRILL_END_SECONDS=60
# Archived segments, copies of clusters, logs.
readonly DRILL_OCTETS=3000000000

drill() {
  load_forget_settings
  parse_options 'seconds load stall brief plant out' "$@"
  [ ${#ARGUMENTS[@]} -eq 1 ] && [[ "${ARGUMENTS[0]}" =~ ^(restore|failover|rolling)$ ]] ||
    bad_usage "drill takes restore, failover or rolling"
  drill_options "${ARGUMENTS[0]}"
  prerequisites_to_run
  [ "${ARGUMENTS[0]}" != rolling ] || drill_balancer
  build
  load_classes
  fetch_postgres
  DATA="$(mktemp -d)"
  trap drill_end EXIT
  trap end_long INT TERM
  drill_room
  mkdir "$DATA/secrets"
  choose_postgres_account
  create_cluster
  drill_run "${ARGUMENTS[0]}"
}

drill_options() {
  OPTION[seconds]="${OPTION[seconds]:-$DRILL_SECONDS}"
  # At least: a segment that is not full is archived after 3 s, and the earlier moment must be in the archive. At most: what
  # was answered is kept in memory.
  require_number seconds 5 60
  OPTION[load]="${OPTION[load]:-$DRILL_LOAD}"
  # From about the rate at which both nodes are full on, requests queue up for as long as the drill lasts, and latencies
  # show its length. 0: clients that wait for one another's answers, no latencies.
  require_number load 0 95
  [ "$1" = rolling ] || [ -z "${CHOSEN[load]:-}" ] || bad_usage "--load belongs to drill rolling"
  OPTION[stall]="${OPTION[stall]:-$DRILL_STALL_SECONDS}"
  require_number stall 1 60
  [ "$1" != rolling ] || [ -z "${CHOSEN[brief]:-}" ] || bad_usage "--brief belongs to drill restore and failover"
  [ "$1" = failover ] || [ -z "${CHOSEN[stall]:-}" ] || bad_usage "--stall belongs to drill failover"
  OPTION[plant]="${OPTION[plant]:-none}"
  case "$1/${OPTION[plant]}" in
    */none | restore/signed-again | failover/asynchronous | rolling/no-notice) ;;
    *) bad_usage "--plant is signed-again for restore, asynchronous for failover, no-notice for rolling" ;;
  esac
  OPTION[out]="$(absolute_path "${OPTION[out]:-$SLUICE_ROOT/var/drill/$1-$(date -u +%Y%m%dT%H%M%SZ)}")"
}

# Where Debian has it is not in everybody's PATH.
drill_balancer() {
  export PATH="$PATH:/usr/sbin"
  require_tools haproxy:haproxy
}

drill_room() {
  local free
  free="$(df --output=avail -B1 "$DATA" | tail -n 1)"
  ((free >= DRILL_OCTETS)) || die "the drill needs $((DRILL_OCTETS / 1000000)) MB in ${TMPDIR:-/tmp}, and $((free / 1000000)) are free"
}

drill_run() {
  local status=0
  say "drill $1; results will be in ${OPTION[out]}"
  run_long - "$JAVA_HOME/bin/java" -XX:+UseSerialGC "-Xmx$DRILL_HEAP" -cp "$SLUICE_ROOT/loadtest/target/classes:$DIST/lib/*" \
    org.sluiceca.load.drill.DrillCommand --drill "$1" --seconds "${OPTION[seconds]}" --load "${OPTION[load]}" --stall "${OPTION[stall]}" \
    --brief "${OPTION[brief]:-false}" --plant "${OPTION[plant]}" --out "${OPTION[out]}" --launcher "$SLUICE_ROOT/sluice" --work "$DATA" \
    --postgres "$POSTGRES_HOME" --account "${POSTGRES_AS[*]}" --first-port "$(load_first_port)" --commit "$(checkout_commit)" \
    --haproxy "$(command -v haproxy || echo none)" ||
    status=$?
  return "$status"
}

# What servers and nodes said is worth keeping when the drill has failed.
drill_end() {
  local status=$? log
  trap '' INT TERM
  set +e
  if [ -n "$LONG_CHILD" ]; then
    # It must end its own children: no other process knows those that it starts while it ends.
    kill -s TERM "$LONG_CHILD" 2>/dev/null
    await_end "$DRILL_END_SECONDS" "$LONG_CHILD" || kill -s KILL "$LONG_CHILD"
  fi
  if [ "$status" -ne 0 ]; then
    for log in "$DATA"/postgres/*.log "$DATA"/trial/node-*.log; do
      [ ! -s "$log" ] || { mkdir -p "${OPTION[out]}" && tail -n 2000 "$log" >"${OPTION[out]}/$(basename "$log")"; }
    done
  fi
  [ ! -d "$DATA/trial" ] || "$SLUICE_ROOT/sluice" down --data "$DATA/trial" >/dev/null 2>&1 ||
    say "the nodes of $DATA/trial did not stop"
  drill_stop_servers
  rm -rf "$DATA"
  return "$status"
}

# The drill ends its servers itself, unless it was killed.
drill_stop_servers() {
  local cluster pid
  for cluster in "$DATA"/postgres/*/postmaster.pid; do
    [ -r "$cluster" ] || continue
    pid="$(head -n 1 "$cluster")"
    [[ "$pid" =~ ^[1-9][0-9]*$ ]] && [ "$(readlink "/proc/$pid/cwd")" = "$(readlink -f "$(dirname "$cluster")")" ] || continue
    kill -s QUIT "$pid"
    await_end "$POSTGRES_STOP_SECONDS" "$pid" || kill -s KILL "$pid"
  done
}
