# shellcheck shell=bash
# `load PLAN`: nodes of a trial of its own on the simulated network HSM (loadtest/nethsm),
# offered load on a schedule, and what came of it. docs/performance/LOAD.md says how to read it. `load keyless` is in
# keyless.sh, `load day` in day.sh, `load nodes` in load-nodes.sh; what is of plans
# with Gatling as the client alone, in scenario.sh.

readonly LOAD_PLANS="$SLUICE_ROOT/loadtest/plans"
# Three ranges of 100 ports each, below those that PostgreSQL and outgoing connections get.
readonly LOAD_PORT_FIRST=10000
readonly LOAD_PORT_LAST=19700
# The generator keeps 50 KB for each open connection; judges of a soak of hours hold one segment at a time, and its latencies.
readonly LOAD_HEAP=1g

load() {
  case "${1:-}" in
    keyless | day | nodes)
      "load_$1" "${@:2}"
      return
      ;;
  esac
  load_forget_settings
  parse_options "out nodes rate seconds crowd orders node-heap $SCENARIO_OPTIONS" "$@"
  [ ${#ARGUMENTS[@]} -eq 1 ] || bad_usage "load takes one plan: day keyless $(load_plans -L); or one with Gatling: $(load_scenarios); or a file"
  load_choose_plan "${ARGUMENTS[0]}"
  if load_is_scenario; then load_scenario_options; else load_options; fi
  prerequisites_to_run
  require_tools make:make gcc:gcc gnuplot:gnuplot-nox
  [ -e /usr/include/p11-kit-1/p11-kit/pkcs11.h ] || install_packages libp11-kit-dev libc6-dev
  build
  load_build
  load_wan
  if load_is_scenario; then
    load_scenario_classes
    load_scenario_folder
  else
    LOAD_WORK="$(mktemp -d)"
  fi
  trap load_end EXIT
  trap end_long INT TERM
  load_hsm
  load_run
}

# The trial must not meet the user's own database or tokens, nor a plan their number of nodes.
load_forget_settings() {
  local name
  for name in $UP_OPTIONS; do
    unset "$(env_name "$name")"
  done
  export SLUICE_CONFIG=/dev/null
}

# load_plans OPTION: the names of those that have (-l) or have not (-L) Gatling as the client.
load_plans() {
  local plan
  grep "$1" '^driver = gatling$' "$LOAD_PLANS"/*.properties | while read -r plan; do
    basename "$plan" .properties
  done | paste -sd ' '
}

load_scenarios() { load_plans -l; }

# A name of ours, or the user's own file.
load_choose_plan() {
  LOAD_PLAN="$LOAD_PLANS/$1.properties"
  [ -r "$LOAD_PLAN" ] || LOAD_PLAN="$(absolute_path "$1")"
  [ -f "$LOAD_PLAN" ] && [ -r "$LOAD_PLAN" ] || bad_usage "no plan '$1': day keyless $(load_plans -L); nor one with Gatling: $(load_scenarios); nor a file"
}

load_is_soak() { [ "$(basename "$LOAD_PLAN" .properties)" = status-soak ]; }

load_is_herd() { [ "$(basename "$LOAD_PLAN" .properties)" = ari-herd ]; }

load_options() {
  local name
  LOAD_CHANGES=()
  for name in $SCENARIO_OPTIONS; do
    [ -z "${CHOSEN[$name]:-}" ] || bad_usage "--$name belongs to plans with Gatling: $(load_scenarios)"
  done
  for name in nodes rate seconds crowd; do
    [ -n "${CHOSEN[$name]:-}" ] || continue
    case "$name" in
      nodes) require_number nodes 1 30 ;;
      rate) require_number rate 1 99999 ;;
      seconds) require_number seconds 1 "$(load_is_soak && echo 86400 || echo 600)" ;;
      crowd) require_number crowd 1 200 ;;
    esac
    # A soak and a herd are not played by phases: their seconds are their own.
    if [ "$name" != seconds ] || { ! load_is_soak && ! load_is_herd; }; then
      LOAD_CHANGES+=("--$name" "${OPTION[$name]}")
    fi
  done
  if load_is_soak; then
    LOAD_CHANGES+=(--soak "${OPTION[seconds]:-1200}")
  fi
  if load_is_herd; then
    OPTION[orders]="${OPTION[orders]:-1000}"
    OPTION[seconds]="${OPTION[seconds]:-600}"
    require_number orders 10 20000
    # Clients ask once a minute at most.
    require_number seconds 120 600
    LOAD_CHANGES+=(--herd "${OPTION[orders]}" --life "${OPTION[seconds]}")
  fi
  # The other plan that sends a number and not for a time.
  if [ "$(basename "$LOAD_PLAN" .properties)" = orders ]; then
    OPTION[orders]="${OPTION[orders]:-100000}"
    require_number orders 100 5000000
    LOAD_CHANGES+=(--orders "${OPTION[orders]}")
    # Two requesters send all of them.
    export SLUICE_ORDERS_PER_REQUESTER=5000000
  elif [ -n "${CHOSEN[orders]:-}" ] && ! load_is_herd; then
    bad_usage "--orders belongs to the plans orders and ari-herd"
  fi
  [ -n "${OPTION[out]:-}" ] || OPTION[out]="$(load_out)"
  OPTION[out]="$(absolute_path "${OPTION[out]}")"
}

# Results of the field's test are worth keeping; the day's second run does not replace the first.
load_out() {
  local name results="$SLUICE_ROOT/loadtest/results"
  name="$(basename "$LOAD_PLAN" .properties)"
  if [ "$name" = adcs-2009 ] && [ ! -e "$results/$(date -u +%F)-$name" ]; then
    printf '%s' "$results/$(date -u +%F)-$name"
  else
    printf '%s' "$SLUICE_ROOT/var/load/$name-$(date -u +%Y%m%dT%H%M%SZ)"
  fi
}

# The HSM and the generator, rebuilt only when their sources have changed.
load_build() {
  make_work_directory
  load_lock
  (umask 022 && make -s -C "$SLUICE_ROOT/loadtest/nethsm" >"$WORK/nethsm.log" 2>&1) ||
    die "the simulated HSM does not build: $(last_words "$WORK/nethsm.log") (log $WORK/nethsm.log)"
  exec 8>&-
  load_classes
}

# A plan with a WAN runs in a network namespace of its own where that is allowed, with nodes, database and clients; it is gone
# with the last of them. Elsewhere a proxy in the generator stands for the WAN.
load_wan() {
  local wan="$SLUICE_ROOT/loadtest/wan/target/wan"
  LOAD_ENTER=()
  grep -q '^wan\.' "$LOAD_PLAN" || return 0
  load_lock
  (umask 022 && make -s -C "$SLUICE_ROOT/loadtest/wan" >"$WORK/wan.log" 2>&1) ||
    die "the WAN does not build: $(last_words "$WORK/wan.log") (log $WORK/wan.log)"
  exec 8>&-
  if "$wan" check 2>"$WORK/wan.log"; then
    # Inside nothing can be fetched.
    fetch_postgres
    LOAD_ENTER=("$wan" namespace --)
    LOAD_CHANGES+=(--wan-tool "$wan")
  else
    say "the WAN is a proxy, for want of a namespace: $(last_words "$WORK/wan.log")"
  fi
}

load_lock() {
  exec 8<>"$WORK/build.lock"
  flock -w 900 8 || die "another build has held $WORK/build.lock for 15 minutes"
}

load_classes() {
  local hash
  make_work_directory
  load_lock
  hash="$(cd "$SLUICE_ROOT" && find loadtest/pom.xml loadtest/src/main -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum)"
  if [ "$(cat "$WORK/load.sources" 2>/dev/null)" != "$hash" ]; then
    maven "$WORK/load.log" -q -DskipTests -Dspotless.check.skip=true -pl loadtest compile ||
      die "the generator does not build: $(last_words "$WORK/load.log") (log $WORK/load.log)"
    printf '%s\n' "$hash" >"$WORK/load.sources"
  fi
  exec 8>&-
}

# Where the plan's simulated HSMs will be, with their tokens. The PIN guards nothing: all is thrown away with the run.
load_hsm() {
  local hsm="$LOAD_WORK/hsm"
  mkdir -p "$hsm/tokens"
  printf 'directories.tokendir = %s/tokens\nobjectstore.backend = file\nlog.level = ERROR\n' "$hsm" >"$hsm/softhsm2.conf"
  printf '1234\n' >"$hsm/pin"
  LOAD_SOFTHSM="$(find_softhsm)" || missing_prerequisite "libsofthsm2.so not found: install the package softhsm2"
  export SOFTHSM2_CONF="$hsm/softhsm2.conf"
}

# Many nodes need many ports in a row; another run may have chosen others meanwhile.
load_first_port() {
  local first port tries
  for ((tries = 0; tries < 50; tries++)); do
    first=$((LOAD_PORT_FIRST + RANDOM % (LOAD_PORT_LAST - LOAD_PORT_FIRST)))
    for port in $(seq "$first" $((first + 31))) $(seq $((first + 100)) $((first + 131))) $(seq $((first + 200)) $((first + 231))); do
      ! port_is_busy "$port" || continue 2
    done
    printf '%s' "$first"
    return 0
  done
  die "no free ports from $LOAD_PORT_FIRST to $LOAD_PORT_LAST"
}

load_run() {
  local status=0 nethsm="$SLUICE_ROOT/loadtest/nethsm/target" classes="$SLUICE_ROOT/loadtest/target/classes" gatling="$SLUICE_ROOT/loadtest/gatling/target" first_port jvm=()
  first_port="$(load_first_port)"
  if load_is_scenario; then
    jvm=(-XX:TieredStopAtLevel=1)
    LOAD_CHANGES+=(--work "$LOAD_WORK" --csr-pool "$SLUICE_ROOT/loadtest/target/csr-pool" --gatling "$gatling/classes:$classes:$(cat "$gatling/class-path")")
  fi
  say "plan $(basename "$LOAD_PLAN" .properties); results will be in ${OPTION[out]}"
  run_long - "${LOAD_ENTER[@]}" "$JAVA_HOME/bin/java" -XX:+UseSerialGC "${jvm[@]}" "-Xmx$LOAD_HEAP" -cp "$classes:$DIST/lib/*" \
    org.sluiceca.load.command.LoadCommand --plan "$LOAD_PLAN" --out "${OPTION[out]}" --data "$LOAD_WORK/data" \
    --launcher "$SLUICE_ROOT/sluice" --module "$nethsm/libnethsm.so" --hsm-tool "$nethsm/nethsm" --softhsm "$LOAD_SOFTHSM" \
    --profiles "$SLUICE_ROOT/ca-api/src/main/resources/profiles" --hsm-folder "$LOAD_WORK/hsm" --pin-file "$LOAD_WORK/hsm/pin" --first-port "$first_port" --node-heap "${OPTION[node-heap]}" \
    --commit "$(checkout_commit)" \
    "${LOAD_CHANGES[@]}" || status=$?
  return "$status"
}

# What nodes said is worth keeping when a goal was missed, the run failed or was interrupted.
load_keep_logs() {
  local log
  for log in "$LOAD_WORK"/data/node-*.log; do
    [ ! -s "$log" ] || { mkdir -p "${OPTION[out]}" && tail -n 2000 "$log" >"${OPTION[out]}/$(basename "$log")"; }
  done
}

load_end() {
  local status=$?
  trap '' INT TERM
  [ "$status" -eq 0 ] || load_keep_logs
  [ ! -d "$LOAD_WORK/data" ] || "$SLUICE_ROOT/sluice" down --data "$LOAD_WORK/data" >/dev/null 2>&1 ||
    say "the trial in $LOAD_WORK did not stop: ./sluice down --data $LOAD_WORK/data"
  if load_is_scenario && ! load_scenario_is_over; then
    say "the run is not over; go on with: ./sluice load ${ARGUMENTS[0]} --resume ${OPTION[out]}"
  else
    rm -rf "$LOAD_WORK"
  fi
}
