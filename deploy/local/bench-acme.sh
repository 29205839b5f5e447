# shellcheck shell=bash
# `bench acme`: certificates by ACME (RFC 8555) from us and from step-ca, one after another in rounds. docs/performance/ACME.md
# says what each does for a certificate.

# sluice: orders that are born ready, since a binding covers their names. sluice-http-01: names are proven, as at step-ca.
readonly BENCH_ACME='sluice sluice-http-01 step-ca'
readonly BENCH_ACME_CONNECTIONS=16
readonly BENCH_ACME_SECONDS=15
# Where names are proven, an account may make 300 orders an hour, and one network 100 accounts.
readonly BENCH_ACME_ORDERS=290
readonly BENCH_ACME_ORDERS_ALL=29000
# Of the warm-up: some methods of a JVM are compiled by any of the two flows.
readonly BENCH_ACME_PROVEN_WARM_UP=3
readonly BENCH_ACME_WAIT_SECONDS=60

# Of each by its name: which CA (of PEER_PID and others), what the page calls it, what it has added.
declare -rA ACME_CA=([sluice]=sluice [sluice-http-01]=sluice [step-ca]=step-ca-postgresql)
declare -rA ACME_CONFIGURATION=([sluice]='EAB, ready orders' [sluice-http-01]='http-01' [step-ca]='http-01')
declare -A ACME_ADDED=() ACME_SIGNED=() ACME_ISSUED=() ACME_MILLIS=() ACME_STEPS=()

bench_acme() {
  bench_cas_options acme "$@"
  OPTION[connections]="${OPTION[connections]:-$BENCH_ACME_CONNECTIONS}"
  OPTION[seconds]="${OPTION[seconds]:-$BENCH_ACME_SECONDS}"
  bench_defaults
  # A node verifies 8 requests at once, and 64 wait of one network.
  [[ "${OPTION[connections]}" =~ ^[1-9][0-9]?$ ]] && ((OPTION[connections] <= 64)) ||
    bad_usage "bench acme takes one number of connections from 1 to 64, not '${OPTION[connections]}'"
  bench_cas_choose "$BENCH_ACME"
  [ "${OPTION[cpu-profile]}" = false ] || [[ " ${CHOSEN_PEERS[*]} " == *' sluice '* ]] ||
    bad_usage "--cpu-profile is of sluice, which --only leaves out"
  bench_cas_prepare
  bench_acme_start
  bench_acme_run
}

# --- Start ---------------------------------------------------------------------------------------------

bench_acme_start() {
  local name
  bench_csrs "$BENCH_WORK/csrs"
  bench_acme_client "$BENCH_WORK/csrs"
  for name in "${CHOSEN_PEERS[@]}"; do
    case "$name" in
      step-ca) bench_acme_start_step_ca ;;
      *) [ -n "${PEER_FOLDER[sluice]:-}" ] || bench_acme_start_sluice ;;
    esac
    bench_acme_introduce "$name"
  done
}

# The client is one process for all CAs, warm for each, and has the servers that prove names: sets ACME_CLIENT, its pid, and the
# ports of these servers.
bench_acme_client() {
  local reply
  mkfifo "$BENCH_WORK/commands" "$BENCH_WORK/replies"
  setpriv --pdeathsig KILL "$JAVA_HOME/bin/java" -Dstdout.encoding=UTF-8 -XX:+UseSerialGC -Xmx256m -cp "$SLUICE_ROOT/loadtest/target/classes:$DIST/lib/*" \
    org.sluiceca.load.bench.acme.AcmeBench "$1" <"$BENCH_WORK/commands" >"$BENCH_WORK/replies" 2>"$BENCH_WORK/client.log" &
  ACME_CLIENT=$!
  exec 6>"$BENCH_WORK/commands" 7<"$BENCH_WORK/replies"
  bench_acme_reply 'does not start'
  [[ "$REPLY" =~ ^ready\ ([0-9]+)\ ([0-9]+)$ ]] || die "the client does not start: $REPLY"
  ACME_HTTP_PORT="${BASH_REMATCH[1]}"
  ACME_DNS_PORT="${BASH_REMATCH[2]}"
}

# bench_acme_reply WHAT [SECONDS]: sets REPLY to the client's next line.
bench_acme_reply() {
  IFS= read -r -t "${2:-$BENCH_ACME_WAIT_SECONDS}" -u 7 REPLY || die "the client $1: $(last_words "$BENCH_WORK/client.log")"
}

# bench_acme_tell WORDS…: sets REPLY to what follows its ok.
bench_acme_tell() {
  printf '%s\n' "$*" >&6
  bench_acme_reply "does not answer to $1" $((BENCH_ACME_WAIT_SECONDS + ${OPTION[seconds]} + ${OPTION[warm-up]}))
  [[ "$REPLY" == ok* ]] || die "$1 $2: ${REPLY#failed: }: $(last_words "$BENCH_WORK/client.log")"
  REPLY="${REPLY#ok}"
}

bench_acme_start_sluice() {
  export SLUICE_ACME_HTTP_PORT="$ACME_HTTP_PORT" SLUICE_ACME_RESOLVER="127.0.0.1:$ACME_DNS_PORT"
  bench_start_sluice
  unset SLUICE_ACME_HTTP_PORT SLUICE_ACME_RESOLVER
}

bench_acme_start_step_ca() {
  bench_peer_make "${ACME_CA[step-ca]}" 100
  bench_start_step_ca "${ACME_CA[step-ca]}" '{"type": "ACME", "name": "bench", "challenges": ["http-01"],
       "claims": {"defaultTLSCertDuration": "2160h", "maxTLSCertDuration": "2160h"}}' \
    --insecure --acme-http-port "$ACME_HTTP_PORT" --resolver "127.0.0.1:$ACME_DNS_PORT"
  bench_peer_await "${ACME_CA[step-ca]}"
}

# bench_acme_introduce NAME: gives the client its address.
bench_acme_introduce() {
  local ca="${ACME_CA[$1]}" url
  url="https://localhost:${PEER_PORT[$ca]}"
  case "$1" in
    sluice) bench_acme_tell ca "$1" "$url/acme/trial/directory" "${PEER_FOLDER[$ca]}/root.pem" ready 9999999 "${PEER_FOLDER[$ca]}/acme-eab.json" ;;
    sluice-http-01) bench_acme_tell ca "$1" "$url/acme/trial-challenge/directory" "${PEER_FOLDER[$ca]}/root.pem" http-01 "$BENCH_ACME_ORDERS" ;;
    step-ca) bench_acme_tell ca "$1" "$url/acme/bench/directory" "${PEER_FOLDER[$ca]}/root.pem" http-01 9999999 ;;
  esac
}

# --- Load ----------------------------------------------------------------------------------------------

bench_acme_run() {
  local name round
  bench_facts 'ACME' "$(bench_acme_what)"
  [[ " ${CHOSEN_PEERS[*]} " != *' step-ca '* ]] || bench_fact step-ca "$(cat "$PEER_TOOLS/step-ca/version")"
  printf '%-20s %s\n' '' "$(bench_heading)"
  for name in "${CHOSEN_PEERS[@]}"; do
    ACME_ADDED[$name]=0 ACME_SIGNED[$name]=0 ACME_ISSUED[$name]=0 ACME_MILLIS[$name]=0
    bench_acme_warm_up "$name"
  done
  for ((round = 1; round <= OPTION[rounds]; round++)); do
    for name in $(bench_cas_order "$round"); do
      bench_acme_load "$name" "${OPTION[seconds]}" "$round" "round $round"
      bench_acme_add "$name"
    done
  done
  [ "${OPTION[cpu-profile]}" = false ] || bench_acme_profile
  bench_cas_settle
  for name in "${CHOSEN_PEERS[@]}"; do
    bench_acme_store "$name"
    bench_acme_facts "$name"
  done
  bench_acme_same_flow
  bench_page acme
}

bench_acme_warm_up() {
  local seconds="${OPTION[warm-up]}"
  [ "$1" = sluice ] || [[ " ${CHOSEN_PEERS[*]} " != *' sluice '* ]] || seconds=$((seconds / BENCH_ACME_PROVEN_WARM_UP))
  ((seconds == 0)) || bench_acme_load "$1" "$seconds" 0 warm-up
}

# Of the orders that are born ready, in a round of its own: recording costs time, so the rounds before go without.
bench_acme_profile() {
  local DATA="${PEER_FOLDER[sluice]}" added="${ACME_ADDED[sluice]}"
  bench_cpu_profile bench_acme_load sluice "${OPTION[seconds]}" '' profile
  ACME_ADDED[sluice]="$added"
}

bench_acme_what() {
  printf 'ACME (RFC 8555), closed loop by a client in Java: %s connections over kept HTTPS, an account with a P-256 key each, one certificate after another, each for one of %s distinct P-256 requests, issuing key P-256 in SoftHSM, PostgreSQL. EAB, ready orders: new order, finalize, poll, download. http-01: also the authorization, its challenge and polls of the authorization, 20 ms apart, until it is valid; both CAs ask the same DNS and HTTP servers on this machine. %s s warm-up (a third of it for http-01), then %s rounds of %s s, one after another in each round, each the first in its turn, the others idle; client, CA, token and database on the same cores. CPU is counted until the machine is quiet again after a load. p50 and p99 are of a whole certificate.' \
    "${OPTION[connections]}" "${OPTION[requests]}" "${OPTION[warm-up]}" "${OPTION[rounds]}" "${OPTION[seconds]}"
}

# bench_acme_load NAME SECONDS ROUND LABEL: sets RESULT (see Load.run). Without a round it stays out of the page.
bench_acme_load() {
  local name="$1" ca="${ACME_CA[$1]}" before client
  local DATA="${PEER_FOLDER[$ca]}" CA_PID="${PEER_PID[$ca]:-}" CA_PROFILE_PORT="${PEER_PROFILE_PORT[$ca]:-}"
  bench_peer_count "$ca"
  before="$STORED"
  client="$(process_ticks "$ACME_CLIENT")"
  bench_costs_begin
  bench_acme_tell load "$name" "${OPTION[connections]}" "$2"
  read -r -a RESULT <<<"$REPLY"
  bench_cas_settle
  bench_costs_end
  CLIENT_TICKS=$(($(process_ticks "$ACME_CLIENT") - client))
  bench_peer_count "$ca"
  ACME_ADDED[$name]=$((ACME_ADDED[$name] + STORED - before))
  printf '%-20s ' "$name"
  bench_line "$4"
  [ "${ACME_CONFIGURATION[$name]}" != http-01 ] || [ "$ca" != sluice ] || ((ACME_ADDED[$name] < BENCH_ACME_ORDERS_ALL)) ||
    die "$BENCH_ACME_ORDERS_ALL orders whose names are proven are all that one network may make in an hour: fewer --seconds or --rounds"
  [ -z "$3" ] || bench_record "${PEER_PRODUCT[$name]}" "${ACME_CONFIGURATION[$name]}" "ACME ${OPTION[connections]}" "$3"
}

# bench_acme_add NAME: the measured load that has just ended.
bench_acme_add() {
  ACME_ISSUED[$1]=$((ACME_ISSUED[$1] + RESULT[1]))
  ACME_SIGNED[$1]=$((ACME_SIGNED[$1] + RESULT[8]))
  ACME_MILLIS[$1]=$((ACME_MILLIS[$1] + ${RESULT[0]/./}))
  ACME_STEPS[$1]="${RESULT[9]}"
}

bench_acme_store() {
  local name="$1" ca="${ACME_CA[$1]}"
  local DATA="${PEER_FOLDER[$ca]}"
  bench_peer_count "$ca"
  bench_peer_verify "$ca"
  # Two share our ledger: what came during the loads of one is its own.
  STORED_BEFORE=0
  STORED="${ACME_ADDED[$name]}"
  bench_record_store "${PEER_PRODUCT[$name]}" "${ACME_CONFIGURATION[$name]}"
}

# bench_acme_facts NAME: signed requests, and the medians of their steps in the last round.
bench_acme_facts() {
  local label="${PEER_PRODUCT[$1]}, ${ACME_CONFIGURATION[$1]}" median
  bench_fact "signed requests of $label" "$(awk -v signed="${ACME_SIGNED[$1]}" -v issued="${ACME_ISSUED[$1]}" -v millis="${ACME_MILLIS[$1]}" \
    'BEGIN { printf "%.2f a certificate, %.0f a second", signed / issued, signed * 1000 / millis }')"
  median="$(sed 's/=[0-9]*\*/ /g; s/,/, /g' <<<"${ACME_STEPS[$1]}")"
  bench_fact "median ms by step of $label" "$median"
}

# The page has the ratios to our ready orders; this is the one of the same flow.
bench_acme_same_flow() {
  [ -n "${ACME_ISSUED[sluice-http-01]:-}" ] && [ -n "${ACME_ISSUED[step-ca]:-}" ] || return 0
  bench_fact 'certificates/s by http-01, times step-ca' "$(awk -v ours="${ACME_ISSUED[sluice-http-01]}" -v millis="${ACME_MILLIS[sluice-http-01]}" \
    -v theirs="${ACME_ISSUED[step-ca]}" -v other="${ACME_MILLIS[step-ca]}" 'BEGIN { printf "%.2f", ours / millis / (theirs / other) }')"
}
