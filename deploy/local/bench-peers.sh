# shellcheck shell=bash
# `bench peers`: the same load on us and on other CAs, one after another in rounds. docs/performance/PEERS.md says what
# each does for a certificate.

readonly BENCH_PEERS='sluice step-ca-badger step-ca-postgresql cfssl'
# A key seen before is cheaper in some libraries.
readonly BENCH_PEERS_REQUESTS_MIN=10000
readonly BENCH_PROBE_SECONDS=5
readonly BENCH_PROBE_TOKENS=20000
# 1 KB each.
readonly BENCH_TOKENS_MAX=2000000

# How each is asked (see issue.lua).
declare -A PEER_HEAD=() PEER_BODIES=() PEER_STATUS=() PEER_MODE=() PEER_BEFORE=()
declare -rA PEER_CONFIGURATION=([sluice]='SoftHSM, PostgreSQL' [step-ca-badger]='SoftHSM, Badger' [step-ca-postgresql]='SoftHSM, PostgreSQL' [cfssl]='key in memory, PostgreSQL')

bench_peers() {
  bench_cas_options peers "$@"
  bench_defaults
  require_number requests "$BENCH_PEERS_REQUESTS_MIN" 99999
  bench_cas_choose "$BENCH_PEERS"
  bench_cas_prepare wrk:wrk
  bench_peers_start
  bench_peers_run
}

# --- Start ---------------------------------------------------------------------------------------------

bench_peers_start() {
  local name corpus="$BENCH_WORK/corpus" offset=100
  for name in "${CHOSEN_PEERS[@]}"; do
    PEER_MODE[$name]=again
    PEER_STATUS[$name]=201
    if [ "$name" = sluice ]; then
      bench_start_sluice
      bench_corpus "$corpus"
      PEER_BODIES[$name]="$corpus"
      PEER_HEAD[$name]="$corpus.head"
      continue
    fi
    [ -e "$corpus.csrs" ] || bench_csrs "$corpus.csrs"
    bench_peer_make "$name" "$offset"
    offset=$((offset + 100))
    PEER_HEAD[$name]="${PEER_FOLDER[$name]}/head"
    case "$name" in
      step-ca-*) bench_peers_start_step_ca "$name" ;;
      cfssl) bench_start_cfssl "$name" ;;
    esac
    bench_peer_await "$name"
  done
  [[ " ${CHOSEN_PEERS[*]} " != *step-ca* ]] || bench_tokens "$BENCH_PROBE_TOKENS"
}

bench_peers_start_step_ca() {
  printf '%s\n' /1.0/sign 'Content-Type: application/json' 'Accept: application/json' >"${PEER_HEAD[$1]}"
  PEER_BODIES[$1]="$BENCH_WORK/tokens"
  # A token is good for one certificate.
  PEER_MODE[$1]=0
  bench_tokens_key
  bench_start_step_ca "$1" "$(peer_jwk_provisioner "$BENCH_WORK/provisioner.jwk")"
}

bench_start_cfssl() {
  local folder="${PEER_FOLDER[$1]}"
  printf '%s\n' /api/v1/cfssl/authsign 'Content-Type: application/json' 'Accept: application/json' >"${PEER_HEAD[$1]}"
  PEER_STATUS[$1]=200
  PEER_PROFILE_PORT[$1]=''
  PEER_BODIES[$1]="$folder/bodies"
  peer_database "$folder"
  peer_cfssl_configuration "$folder"
  bench_java StoredCertificates schema "jdbc:postgresql://127.0.0.1:$(cat "$folder/postgres.port")/sluice" sluice \
    "$folder/secrets/database.password" "$PEER_TOOLS"/cfssl/schema/*.sql >"$folder/schema.log" 2>&1 || die "cfssl's tables: $(last_words "$folder/schema.log")"
  bench_java Requests cfssl "$BENCH_WORK/corpus.csrs" "$folder/bodies" "$folder/hmac.key" || die "no requests for cfssl"
  bench_peer_begin "$1" setpriv --pdeathsig KILL "$PEER_TOOLS/cfssl/cfssl" serve -address 127.0.0.1 -port "${PEER_PORT[$1]}" \
    -ca "$folder/issuing.pem" -ca-key "$folder/issuing.key" -config "$folder/cfssl.json" -db-config "$folder/database.json" \
    -tls-cert "$folder/tls.pem" -tls-key "$folder/tls.key" -loglevel 2
}

# The key that signs tokens, unless it is there.
bench_tokens_key() {
  [ -e "$BENCH_WORK/provisioner.jwk" ] || bench_java Requests step-ca-key "$BENCH_WORK/provisioner.key" "$BENCH_WORK/provisioner.jwk" || die "no key for tokens"
}

# bench_tokens COUNT: makes COUNT more requests with a token each, and syncs them before anything is measured.
bench_tokens() {
  (($1 > 0)) || return 0
  say "making $1 one-time tokens"
  bench_java Requests step-ca "$BENCH_WORK/corpus.csrs" "$BENCH_WORK/tokens" "$BENCH_WORK/provisioner.key" "$1" || die "no tokens"
  TOKENS=$((${TOKENS:-0} + $1))
  sync "$BENCH_WORK/tokens"
}

# --- Load ----------------------------------------------------------------------------------------------

bench_peers_run() {
  local name connections round
  bench_facts 'Peers' "$(bench_peers_what)"
  bench_peers_versions
  for name in "${CHOSEN_PEERS[@]}"; do
    bench_peer_count "$name"
    PEER_BEFORE[$name]="$STORED"
    [[ "$name" != step-ca-* ]] || bench_peer_probe "$name"
  done
  bench_tokens $((${TOKENS_NEEDED:-0} - ${TOKENS:-0}))
  printf '%-20s %s\n' '' "$(bench_heading)"
  for name in "${CHOSEN_PEERS[@]}"; do
    ((OPTION[warm-up] == 0)) || bench_peer_load "$name" 64 "${OPTION[warm-up]}" 0 warm-up
  done
  for connections in ${OPTION[connections]//,/ }; do
    for ((round = 1; round <= OPTION[rounds]; round++)); do
      for name in $(bench_cas_order "$round"); do
        bench_peer_load "$name" "$connections" "${OPTION[seconds]}" "$round" "$connections, $round"
      done
    done
  done
  bench_cas_settle
  for name in "${CHOSEN_PEERS[@]}"; do
    bench_peer_store "$name"
  done
  bench_page peers
  bench_peers_configurations "${OPTION[out]:-$BENCH_RESULTS/$(date -u +%Y-%m-%d)-peers}"
}

bench_peers_what() {
  printf 'Closed loop by wrk over kept HTTPS connections, one certificate a request, %s distinct P-256 requests in turn, the same for all, issuing key P-256; %s s warm-up of each, then %s rounds of %s s for each number of connections, one CA after another in each round, each the first in its turn, the others idle; client, CA, token and database on the same cores. CPU is counted until the machine is quiet again after a load. One-time tokens for step-ca are made before.' \
    "${OPTION[requests]}" "${OPTION[warm-up]}" "${OPTION[rounds]}" "${OPTION[seconds]}"
}

bench_peers_versions() {
  local name
  for name in "${CHOSEN_PEERS[@]}"; do
    bench_fact "TLS of $name" "$(openssl s_client -connect "localhost:${PEER_PORT[$name]}" -brief </dev/null 2>&1 |
      sed -n 's/^Protocol version: //p;s/^Ciphersuite: //p' | paste -sd ' ')"
  done
  for name in step-ca cfssl; do
    [[ " ${CHOSEN_PEERS[*]} " != *" $name"* ]] || bench_fact "$name" "$(cat "$PEER_TOOLS/$name/version")"
  done
}

# How fast it is decides how many tokens it will need, with some to spare.
bench_peer_probe() {
  local needed loads
  bench_peer_load "$1" 64 "$BENCH_PROBE_SECONDS" 0 probe
  loads="$(wc -w <<<"${OPTION[connections]//,/ }")"
  needed="$(awk -v seconds="${RESULT[0]}" -v issued="${RESULT[1]}" -v warm="${OPTION[warm-up]}" \
    -v measured=$((loads * OPTION[rounds] * OPTION[seconds])) -v probe="$BENCH_PROBE_TOKENS" \
    'BEGIN { printf "%d", probe + 1.3 * issued / seconds * (warm + measured) }')"
  ((needed <= BENCH_TOKENS_MAX)) || die "$1 would need $needed tokens, $BENCH_TOKENS_MAX are the most: fewer --seconds or --rounds"
  ((needed <= ${TOKENS_NEEDED:-0})) || TOKENS_NEEDED=$needed
}

# bench_peer_load NAME CONNECTIONS SECONDS ROUND LABEL
bench_peer_load() {
  local name="$1" load="$2" DATA="${PEER_FOLDER[$1]}" CA_PID="${PEER_PID[$1]:-}" CA_PROFILE_PORT="${PEER_PROFILE_PORT[$1]:-}"
  bench_costs_begin
  bench_wrk "$2" "$3" "${PEER_PORT[$name]}" "${PEER_HEAD[$name]}" "${PEER_BODIES[$name]}" "${PEER_STATUS[$name]}" "${PEER_MODE[$name]}"
  bench_cas_settle
  bench_costs_end
  printf '%-20s ' "$name"
  bench_line "$5"
  ((RESULT[1] > 0)) || die "$name issued nothing: $(tail -n 2 "${PEER_FOLDER[$name]}/log" 2>/dev/null | cut -c 1-400)"
  if [ "${PEER_MODE[$name]}" != again ]; then
    # The probe may use up its tokens; then it has lasted for less.
    [ "${RESULT[8]}" != out ] || [ "$5" = probe ] || die "$name has used up its one-time tokens: fewer --seconds or --rounds"
    PEER_MODE[$name]="${RESULT[8]/out/$(stat -c %s "${PEER_BODIES[$name]}")}"
  fi
  [ "$5" != probe ] || load=probe
  bench_record "${PEER_PRODUCT[$name]}" "${PEER_CONFIGURATION[$name]}" "$load" "$4"
}

# --- What they hold ------------------------------------------------------------------------------------

bench_peer_store() {
  [ "$1" != step-ca-badger ] || bench_peer_stop "$1"
  bench_peer_count "$1"
  STORED_BEFORE="${PEER_BEFORE[$1]}"
  bench_peer_verify "$1"
  bench_record_store "${PEER_PRODUCT[$1]}" "${PEER_CONFIGURATION[$1]}"
}

# bench_peers_configurations OUT: as they were, but for passwords and the folder.
bench_peers_configurations() {
  local name file
  for name in "${CHOSEN_PEERS[@]}"; do
    for file in ca.json cfssl.json database.json; do
      [ ! -e "${PEER_FOLDER[$name]}/$file" ] || (umask 022 && sed -E "s|$BENCH_WORK|WORK|g; s|(://sluice:)[^@]*@|\1PASSWORD@|" "${PEER_FOLDER[$name]}/$file" >"$1/$name-$file")
    done
  done
}
