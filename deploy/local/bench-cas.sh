# shellcheck shell=bash
# What `bench peers` and `bench acme` share: CAs on this machine, ours and others, that take turns in rounds.

readonly BENCH_CAS_ROUNDS=3
# What a load leaves to be done is done, and paid for, before the next one begins.
readonly BENCH_SETTLE_SECONDS=10
readonly BENCH_SETTLE_BUSY_PERCENT=15
readonly BENCH_PEER_START_SECONDS=60

# Of each CA by its name: process, folder, ports.
declare -A PEER_PID=() PEER_FOLDER=() PEER_PORT=() PEER_PROFILE_PORT=()
declare -rA PEER_PRODUCT=([sluice]=sluice [sluice-http-01]=sluice [step-ca]=step-ca [step-ca-badger]=step-ca [step-ca-postgresql]=step-ca [cfssl]=cfssl)

# bench_cas_options peers|acme WORDS…: the options of both.
bench_cas_options() {
  # The trial must not meet the user's own database or tokens.
  load_forget_settings
  local more=''
  [ "$1" != acme ] || more=' cpu-profile'
  parse_options "seconds warm-up connections rounds requests only out node-heap$more" "${@:2}"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "bench $1 takes no argument: '${ARGUMENTS[0]}'"
  OPTION[rounds]="${OPTION[rounds]:-$BENCH_CAS_ROUNDS}"
  require_number rounds 1 9
}

# bench_cas_choose NAMES: sets CHOSEN_PEERS to those of --only, in the order of NAMES. step-ca means both stores where NAMES has them.
bench_cas_choose() {
  local wanted=" ${OPTION[only]:-$1} " name
  [[ "${OPTION[only]:-sluice}" =~ ^[a-z0-9-]+(,[a-z0-9-]+)*$ ]] || bad_usage "--only is names with commas between them, not '${OPTION[only]}'"
  wanted="${wanted//,/ }"
  [[ " $1 " == *' step-ca '* ]] || wanted="${wanted/ step-ca / step-ca-badger step-ca-postgresql }"
  CHOSEN_PEERS=()
  for name in $wanted; do
    [[ " $1 " == *" $name "* ]] || bad_usage "--only is one or more of $1, e.g. sluice,step-ca, not '$name'"
  done
  for name in $1; do
    [[ "$wanted" != *" $name "* ]] || CHOSEN_PEERS+=("$name")
  done
}

# bench_cas_prepare [TOOL:PACKAGE…]: builds what is chosen, and makes BENCH_WORK, whose end is the end of all that is started.
bench_cas_prepare() {
  local name products=()
  prerequisites_to_run
  require_tools "$@" openssl:openssl curl:curl setpriv:util-linux
  build
  load_classes
  for name in "${CHOSEN_PEERS[@]}"; do
    [[ " sluice ${products[*]:-} " == *" ${PEER_PRODUCT[$name]} "* ]] || products+=("${PEER_PRODUCT[$name]}")
  done
  [ ${#products[@]} -eq 0 ] || { peers_install "${products[@]}" && peers_forget_sources; }
  BENCH_WORK="$(mktemp -d)"
  trap bench_cas_end EXIT
}

bench_cas_end() {
  local name
  [ -z "${ACME_CLIENT:-}" ] || kill -s TERM "$ACME_CLIENT" 2>/dev/null || true
  for name in "${!PEER_PID[@]}"; do
    bench_peer_stop "$name"
    [ ! -d "${PEER_FOLDER[$name]}/postgres/data" ] || (DATA="${PEER_FOLDER[$name]}"; stop_postgres) || true
  done
  bench_end
}

# --- Start ---------------------------------------------------------------------------------------------

bench_start_sluice() {
  bench_trial
  use_data
  PEER_FOLDER[sluice]="$DATA"
  PEER_PORT[sluice]="$(run_value port)"
}

# bench_peer_make NAME OFFSET: folder, keys and ports of one that is not ours.
bench_peer_make() {
  say "starting $1"
  PEER_FOLDER[$1]="$BENCH_WORK/$1"
  PEER_PORT[$1]=$((BENCH_PORT + $2))
  PEER_PROFILE_PORT[$1]=$((BENCH_PORT + $2 + 1))
  # Before it has a process: whatever of it runs is to be ended.
  PEER_PID[$1]=''
  peer_authority "${PEER_FOLDER[$1]}"
}

# bench_start_step_ca NAME PROVISIONER [OPTION…]: NAME ends with its store.
bench_start_step_ca() {
  local folder="${PEER_FOLDER[$1]}" store="${1#step-ca-}"
  peer_token "$folder"
  [ "$store" != postgresql ] || peer_database "$folder"
  peer_step_ca_configuration "$folder" "${PEER_PORT[$1]}" "$store" "$2"
  bench_peer_begin "$1" env "SOFTHSM2_CONF=$folder/softhsm/issuing/softhsm2.conf" "STEPPATH=$folder" "HOME=$folder" \
    "STEP_PROF_ADDR=127.0.0.1:${PEER_PROFILE_PORT[$1]}" setpriv --pdeathsig KILL "$PEER_TOOLS/step-ca/step-ca" "$folder/ca.json" "${@:3}"
}

bench_peer_begin() {
  local name="$1" port
  shift
  for port in "${PEER_PORT[$name]}" "${PEER_PROFILE_PORT[$name]:-}"; do
    [ -z "$port" ] || ! port_is_busy "$port" || die "port $port is in use by another program"
  done
  "$@" >"${PEER_FOLDER[$name]}/log" 2>&1 </dev/null 9>&- &
  PEER_PID[$name]=$!
}

bench_peer_await() {
  local deadline=$((SECONDS + BENCH_PEER_START_SECONDS)) log="${PEER_FOLDER[$1]}/log"
  until port_is_busy "${PEER_PORT[$1]}"; do
    [ -n "$(process_state "${PEER_PID[$1]}" | tr -d Z)" ] || die "$1 ended while starting: $(tail -n 3 "$log" | cut -c 1-400)"
    ((SECONDS < deadline)) || die "$1 does not listen after $BENCH_PEER_START_SECONDS s: $(last_words "$log")"
    sleep 0.2
  done
}

bench_peer_stop() {
  local signal
  for signal in TERM KILL; do
    [ -n "${PEER_PID[$1]}" ] || return 0
    kill -s "$signal" "${PEER_PID[$1]}" 2>/dev/null || true
    ! await_end 20 "${PEER_PID[$1]}" || PEER_PID[$1]=''
  done
}

# --- Load and store ------------------------------------------------------------------------------------

# bench_cas_order ROUND: each is the first in its turn. Who always followed the same would always have what that one left.
bench_cas_order() {
  local i count=${#CHOSEN_PEERS[@]}
  for ((i = 0; i < count; i++)); do
    printf '%s ' "${CHOSEN_PEERS[$(((i + $1 - 1) % count))]}"
  done
}

# Waits until the machine is nearly idle, but no longer than a limit.
bench_cas_settle() {
  local deadline=$((SECONDS + BENCH_SETTLE_SECONDS)) before after
  while ((SECONDS < deadline)); do
    read -r -a before <<<"$(machine_ticks)"
    sleep 0.5
    read -r -a after <<<"$(machine_ticks)"
    (((after[0] - before[0]) * 100 > BENCH_SETTLE_BUSY_PERCENT * (after[1] - before[1]))) || return 0
  done
}

# bench_peer_count NAME: sets STORED and DURABILITY; one certificate is in BENCH_WORK/one. Badger is read when its CA has ended.
bench_peer_count() {
  local folder="${PEER_FOLDER[$1]}" store
  case "$1" in
    sluice) bench_stored; return ;;
    step-ca-badger)
      DURABILITY='Badger 2, SyncWrites (its default)'
      STORED=0
      [ -z "${PEER_PID[$1]}" ] || return 0
      STORED="$("$PEER_TOOLS/step-ca/badger" "$folder/badger" "$BENCH_WORK/one" 2>"$folder/badger.log")" || die "Badger cannot be read: $(last_words "$folder/badger.log")"
      return
      ;;
    step-ca-postgresql) store=STEP_CA ;;
    cfssl) store=CFSSL ;;
  esac
  stored_certificates "jdbc:postgresql://127.0.0.1:$(cat "$folder/postgres.port")/sluice" sluice "$folder/secrets/database.password" "$store"
}

# bench_peer_verify NAME: the certificate that was counted last, up to the root.
bench_peer_verify() {
  local folder="${PEER_FOLDER[$1]}"
  case "$1" in
    sluice) bench_verify ;;
    cfssl) openssl_verify "$folder/root.pem" "$folder/issuing.pem" "$BENCH_WORK/one" ;;
    *)
      openssl x509 -inform DER -in "$BENCH_WORK/one" -out "$BENCH_WORK/one.pem" 2>/dev/null || die "$1 stores no certificate"
      openssl_verify "$folder/root.pem" "$folder/issuing.pem" "$BENCH_WORK/one.pem"
      ;;
  esac
}
