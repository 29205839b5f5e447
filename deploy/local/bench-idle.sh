# shellcheck shell=bash
# `bench idle`: what a fresh node costs at the low rates of real fleets, and step-ca alongside it for comparison.
# docs/performance/IDLE.md says how it is measured.

readonly BENCH_IDLE='sluice step-ca'
readonly BENCH_IDLE_RATES=0,2,20,200
readonly BENCH_IDLE_MINUTES=10
readonly BENCH_IDLE_AFTER=2
# Twice this is less than the four hours for which a one-time token of step-ca is valid.
readonly BENCH_IDLE_MINUTES_MAX=100
readonly BENCH_IDLE_REQUESTS=12000
# The client's own warm-up, and what it waits for late answers.
readonly BENCH_IDLE_WAIT_SECONDS=120
# It guards the key of the client's own server, which ends with the client.
readonly BENCH_IDLE_PASSWORD=bench

bench_idle() {
  bench_idle_options "$@"
  bench_cas_choose "$BENCH_IDLE"
  bench_idle_require_tokens
  bench_cas_prepare
  trap bench_idle_end EXIT
  bench_csrs "$BENCH_WORK/corpus.csrs"
  bench_idle_client
  bench_idle_run
}

bench_idle_options() {
  # The trial must not meet the user's own database or tokens.
  load_forget_settings
  parse_options 'rates minutes after only out node-heap' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "bench idle takes no argument: '${ARGUMENTS[0]}'"
  OPTION[rates]="${OPTION[rates]:-$BENCH_IDLE_RATES}"
  OPTION[minutes]="${OPTION[minutes]:-$BENCH_IDLE_MINUTES}"
  OPTION[after]="${OPTION[after]:-$BENCH_IDLE_AFTER}"
  OPTION[requests]="$BENCH_IDLE_REQUESTS"
  # A fresh node is what is measured.
  OPTION[warm-up]=0
  [[ "${OPTION[rates]}" =~ ^(0|[1-9][0-9]{0,2})(,(0|[1-9][0-9]{0,2})){0,7}$ ]] ||
    bad_usage "--rates is one to eight whole numbers up to 999, e.g. 0,2,20,200, not '${OPTION[rates]}'"
  [ -z "$(tr ',' '\n' <<<"${OPTION[rates]}" | sort | uniq -d)" ] || bad_usage "--rates has a number twice: '${OPTION[rates]}'"
  bench_idle_require_minutes minutes
  bench_idle_require_minutes after
}

# bench_idle_require_minutes OPTION: processor time is counted in hundredths of a second, so a window has some seconds.
bench_idle_require_minutes() {
  [[ "${OPTION[$1]}" =~ ^[0-9]{1,3}(\.[0-9]{1,2})?$ ]] &&
    awk -v minutes="${OPTION[$1]}" -v most="$BENCH_IDLE_MINUTES_MAX" 'BEGIN { exit !(minutes >= 0.1 && minutes <= most) }' ||
    bad_usage "--$1 is a number of minutes from 0.1 to $BENCH_IDLE_MINUTES_MAX, e.g. 0.5, not '${OPTION[$1]}'"
}

bench_idle_require_tokens() {
  local rate
  [[ " ${CHOSEN_PEERS[*]} " == *' step-ca '* ]] || return 0
  for rate in ${OPTION[rates]//,/ }; do
    awk -v rate="$rate" -v minutes="${OPTION[minutes]}" -v after="${OPTION[after]}" -v most="$BENCH_TOKENS_MAX" 'BEGIN { exit !(rate * 60 * (minutes + after) < most) }' ||
      bad_usage "--rates $rate for that many minutes needs more than $BENCH_TOKENS_MAX one-time tokens of step-ca: fewer --minutes, or --only sluice"
  done
}

bench_idle_end() {
  [ -z "${IDLE_CLIENT:-}" ] || kill -s TERM "$IDLE_CLIENT" 2>/dev/null || true
  bench_cas_end
}

# --- Client --------------------------------------------------------------------------------------------

# One process for all loads, started and warm before any CA is: sets IDLE_CLIENT, its pid, and IDLE_ALONE, its own median in ms.
bench_idle_client() {
  local own="$BENCH_WORK/own"
  say "warming the client"
  peer_authority "$own"
  openssl pkcs12 -export -inkey "$own/tls.key" -in "$own/tls.pem" -out "$own/tls.p12" -passout "pass:$BENCH_IDLE_PASSWORD" 2>"$own/pkcs12.log" ||
    die "openssl makes no PKCS #12 file: $(last_words "$own/pkcs12.log")"
  sed 's/.*/{"profile":"tls-server","csr":"&"}/' "$BENCH_WORK/corpus.csrs" >"$BENCH_WORK/corpus"
  printf '%s\n' /v1/certificates 'Content-Type: application/json' 'Accept: application/json' >"$own/head"
  mkfifo "$BENCH_WORK/commands" "$BENCH_WORK/replies"
  setpriv --pdeathsig KILL "$JAVA_HOME/bin/java" -Dstdout.encoding=UTF-8 -XX:+UseSerialGC -Xmx256m -cp "$SLUICE_ROOT/loadtest/target/classes:$DIST/lib/*" \
    org.sluiceca.load.bench.idle.IdleBench "$own/tls.p12" "$BENCH_IDLE_PASSWORD" "$own/root.pem" "$own/head" "$BENCH_WORK/corpus" \
    <"$BENCH_WORK/commands" >"$BENCH_WORK/replies" 2>"$BENCH_WORK/client.log" &
  IDLE_CLIENT=$!
  exec 6>"$BENCH_WORK/commands" 7<"$BENCH_WORK/replies"
  bench_idle_reply 'does not start' "$BENCH_IDLE_WAIT_SECONDS"
  [[ "$REPLY" =~ ^ready\ ([0-9.]+)$ ]] || die "the client does not start: $REPLY"
  IDLE_ALONE="${BASH_REMATCH[1]}"
}

# bench_idle_reply WHAT SECONDS: sets REPLY to the client's next line.
bench_idle_reply() {
  IFS= read -r -t "$2" -u 7 REPLY || die "the client $1: $(last_words "$BENCH_WORK/client.log")"
}

# --- CAs, one at a time --------------------------------------------------------------------------------

# bench_idle_start NAME REQUESTS: a fresh one, with as many one-time tokens as it needs. Sets IDLE_CA, its name among peers, IDLE_PID
# and IDLE_READY, its CPU time in ticks when it was ready: all of it, and of its JIT compilers.
bench_idle_start() {
  case "$1" in
    sluice) bench_idle_start_sluice ;;
    step-ca) bench_idle_start_step_ca "$2" ;;
  esac
  DATA="${PEER_FOLDER[$IDLE_CA]}"
}

bench_idle_start_sluice() {
  local watcher
  IDLE_CA=sluice
  bench_idle_watch "$BENCH_WORK/data" &
  watcher=$!
  # Neither the node nor its database is to hold the client's pipes.
  bench_start_sluice 6>&- 7<&-
  wait "$watcher" || die "the node's CPU time when it was ready is not known"
  read -r IDLE_PID IDLE_READY <"$BENCH_WORK/ready"
  bench_head "$BENCH_WORK/sluice.head"
  PEER_HEAD[sluice]="$BENCH_WORK/sluice.head"
  PEER_BODIES[sluice]="$BENCH_WORK/corpus"
}

# bench_idle_watch DATA: writes pid and CPU time of the node, when it is ready, to BENCH_WORK/ready. `up` returns some seconds later.
# Ends with BENCH_WORK, since that is the end of the benchmark.
bench_idle_watch() {
  local DATA="$1" pid=''
  OPTION[management-port]=$((BENCH_PORT + 2000))
  exec 6>&- 7<&-
  rm -f "$BENCH_WORK/ready"
  until [ -n "$pid" ] && node_is_ready 0; do
    [ -d "$BENCH_WORK" ] || return 1
    sleep 0.1
    pid="$(node_pid 0)"
  done
  printf '%s %s\n' "$pid" "$(bench_idle_ticks "$pid")" >"$BENCH_WORK/ready"
}

# bench_idle_ticks PID: CPU time of a CA in ticks, with the processes it started, and that of its JIT compilers.
bench_idle_ticks() {
  local child sum
  sum=$(($(process_ticks "$1") + $(ended_children_ticks "$1")))
  for child in $(children_of "$1"); do
    sum=$((sum + $(process_ticks "$child")))
  done
  printf '%s %s' "$sum" "$(thread_ticks "$1" | cut -d ' ' -f 2)"
}

bench_idle_start_step_ca() {
  IDLE_CA=step-ca-postgresql
  bench_peer_make "$IDLE_CA" 100
  PEER_HEAD[$IDLE_CA]="${PEER_FOLDER[$IDLE_CA]}/head"
  bench_peers_start_step_ca "$IDLE_CA" 6>&- 7<&-
  bench_peer_await "$IDLE_CA"
  IDLE_PID="${PEER_PID[$IDLE_CA]}"
  IDLE_READY="$(bench_idle_ticks "$IDLE_PID")"
  rm -f "$BENCH_WORK/tokens"
  # step-ca refuses a token that is older than its own start, and tokens have whole seconds.
  sleep 1
  bench_tokens $(($1 + 1))
  # Signing them has kept the machine busy.
  bench_cas_settle
}

bench_idle_stop() {
  if [ "$IDLE_CA" = sluice ]; then
    "$SLUICE_ROOT/sluice" down --data "$DATA" >"$BENCH_WORK/down.log" 2>&1 || die "the trial does not stop: $(last_words "$BENCH_WORK/down.log")"
    BENCH_OWN=''
  else
    bench_peer_stop "$IDLE_CA"
    stop_postgres
    unset "PEER_PID[$IDLE_CA]"
  fi
  rm -rf "$DATA"
}

# --- Load ----------------------------------------------------------------------------------------------

bench_idle_run() {
  local name rate
  bench_facts 'Idle' "$(bench_idle_what)"
  bench_fact 'the client alone: p50 ms with a server of its own, 20/s' "$IDLE_ALONE"
  [[ " ${CHOSEN_PEERS[*]} " != *' step-ca '* ]] || bench_fact step-ca "$(cat "$PEER_TOOLS/step-ca/version")"
  for rate in ${OPTION[rates]//,/ }; do
    for name in "${CHOSEN_PEERS[@]}"; do
      bench_idle_measure "$name" "$rate"
    done
  done
  bench_page idle idle.IdlePage
}

bench_idle_what() {
  printf 'A fresh CA for each rate, alone on the machine with its PostgreSQL (fsync), its issuing key (P-256) in SoftHSM and the client; node heap %s. Open loop at a constant rate over 8 kept HTTPS connections, JSON in and out, %s distinct P-256 requests in turn: each is due by the clock, and its latency counts from then. The first window ends after %s of %s minutes; the last one has %s minutes more. CPU is that of the CA, with the processes it started, and of all processes of its PostgreSQL, by /proc. One-time tokens for step-ca are made before its load.' \
    "${OPTION[node-heap]}" "${OPTION[requests]}" "$(awk -v minutes="${OPTION[minutes]}" 'BEGIN { print minutes / 5 }')" "${OPTION[minutes]}" "${OPTION[after]}"
}

# bench_idle_measure NAME RATE: windows of a fifth of the minutes, of the other four, and after them.
bench_idle_measure() {
  local ends seconds before ready begun
  read -r ends seconds <<<"$(awk -v minutes="${OPTION[minutes]}" -v after="${OPTION[after]}" 'BEGIN {
    printf "%.3f,%.3f,%.3f %d", minutes * 12, minutes * 60, (minutes + after) * 60, (minutes + after) * 60 + 1 }')"
  bench_idle_start "$1" $((seconds * $2))
  bench_peer_count "$IDLE_CA"
  before="$STORED"
  say "$1 at $2/s for $seconds s"
  read -r -a ready <<<"$IDLE_READY"
  read -r -a begun <<<"$(bench_idle_ticks "$IDLE_PID")"
  bench_idle_record_start "$1" "$2" "${ready[@]}" "${begun[0]}"
  printf 'load\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "${PEER_PORT[$IDLE_CA]}" "$DATA/root.pem" "${PEER_HEAD[$IDLE_CA]}" "${PEER_BODIES[$IDLE_CA]}" \
    "$2" "$ends" "$IDLE_PID" "$DATA/postgres/data/postmaster.pid" >&6
  while true; do
    bench_idle_reply "gives no result of $1 at $2/s" $((seconds + BENCH_IDLE_WAIT_SECONDS))
    case "$REPLY" in
      window$'\t'*) printf 'window\tproduct=%s\trate=%s\t%s\n' "$1" "$2" "${REPLY#window$'\t'}" >>"$BENCH_RECORD" ;;
      fault$'\t'*) say "warning: $1 at $2/s: ${REPLY#fault$'\t'}" ;;
      *) break ;;
    esac
  done
  [ "$REPLY" = ok ] || die "$1 at $2/s: ${REPLY#failed: }: $(last_words "$BENCH_WORK/client.log")"
  bench_idle_store "$1" "$2" "$before"
  bench_idle_stop
}

# bench_idle_record_start NAME RATE READY-TICKS JIT-TICKS LOAD-TICKS
bench_idle_record_start() {
  local unit=$((1000000 / HERTZ)) jit=unknown
  [ "$1" != sluice ] || jit=$(($4 * unit))
  printf 'start\tproduct=%s\trate=%s\treadyMicros=%s\treadyJitMicros=%s\tloadMicros=%s\n' "$1" "$2" $(($3 * unit)) "$jit" $(($5 * unit)) >>"$BENCH_RECORD"
}

# bench_idle_store NAME RATE BEFORE
bench_idle_store() {
  bench_peer_count "$IDLE_CA"
  VERIFIED=none
  ((STORED == $3)) || bench_peer_verify "$IDLE_CA"
  printf 'stored\tproduct=%s\trate=%s\tbefore=%s\tafter=%s\tverified=%s\tdurability=%s\n' "$1" "$2" "$3" "$STORED" "$VERIFIED" "$DURABILITY" >>"$BENCH_RECORD"
}
