# shellcheck shell=bash
# `bench ocsp`: kept answers a second of one node on this machine, end to end, over plain HTTP.

readonly BENCH_OCSP_CERTIFICATES=1000
readonly BENCH_OCSP_WARM_UP_SECONDS=30

bench_ocsp() {
  parse_options 'data seconds warm-up connections node-heap' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "bench ocsp takes no argument: '${ARGUMENTS[0]}'"
  OPTION[warm-up]="${OPTION[warm-up]:-$BENCH_OCSP_WARM_UP_SECONDS}"
  bench_defaults
  prerequisites_to_run
  require_tools wrk:wrk openssl:openssl curl:curl
  build
  BENCH_WORK="$(mktemp -d)"
  trap bench_end EXIT
  [ -n "${CHOSEN[data]:-}" ] || bench_trial
  use_data
  [ -n "$(living_nodes)" ] || die "no node of $DATA runs here: ./sluice up --data $DATA"
  bench_ocsp_questions
  bench_ocsp_run
}

# Certificates of one CSR: their serial numbers are all that OCSP sees of them.
bench_ocsp_questions() {
  local i serial
  say "enrolling $BENCH_OCSP_CERTIFICATES certificates"
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$BENCH_WORK/key" -out "$BENCH_WORK/csr" \
    -subj /CN=www.example.com -addext subjectAltName=DNS:www.example.com 2>/dev/null
  for ((i = 0; i < BENCH_OCSP_CERTIFICATES; i++)); do
    [ "$i" -eq 0 ] || printf 'next\n'
    printf 'url = "https://localhost:%s/v1/certificates?profile=tls-server"\ncacert = "%s"\n' "$(run_value port)" "$DATA/root.pem"
    printf 'header = "Authorization: Bearer %s"\nheader = "Content-Type: application/pkcs10"\n' "$(cat "$DATA/enroll.token")"
    printf 'header = "Accept: application/json"\ndata-binary = "@%s"\nsilent\n' "$BENCH_WORK/csr"
  done >"$BENCH_WORK/curl"
  curl -K "$BENCH_WORK/curl" 2>/dev/null | grep -o '"serial":"[0-9a-f]*"' | cut -d'"' -f4 >"$BENCH_WORK/serials"
  (($(wc -l <"$BENCH_WORK/serials") == BENCH_OCSP_CERTIFICATES)) || die "not all were enrolled: see $DATA/node-0.log"
  openssl x509 -in "$DATA/chain.pem" -out "$BENCH_WORK/issuer.pem"
  openssl ocsp -sha1 -no_nonce -issuer "$BENCH_WORK/issuer.pem" -serial "0x$(head -n 1 "$BENCH_WORK/serials")" \
    -reqout "$BENCH_WORK/question" >/dev/null 2>&1 || true
  [ -s "$BENCH_WORK/question" ] || die 'openssl makes no OCSP request'
  # The serial number, 19 octets, stands at its end.
  while read -r serial; do
    # shellcheck disable=SC2001 # bash 5.1 has no & in its replacements
    { head -c -19 "$BENCH_WORK/question" && printf '%b' "$(sed 's/../\\x&/g' <<<"$serial")"; } | base64 -w 0 |
      sed 's|^|/ocsp/|; s|+|%2B|g; s|=|%3D|g'
    printf '\n'
  done <"$BENCH_WORK/serials" | sed -E ':a; s|^(/ocsp/.*)/|\1%2F|; ta' >"$BENCH_WORK/paths"
}

bench_ocsp_run() {
  local connections
  printf '%s, %s cores, %s; load average before: %s\n' "$(sed -n 's/^model name.*: //p;T;q' /proc/cpuinfo)" \
    "$(nproc)" "$(jdk_version | sed 's/^/JDK /')" "$(cut -d' ' -f1-3 /proc/loadavg)"
  printf 'closed loop by wrk over kept connections of plain HTTP, GET, SHA-1, %s distinct certificates at random;\n' \
    "$BENCH_OCSP_CERTIFICATES"
  printf '%s s warm-up, %s s each; client, node, token and database on these cores\n\n' "${OPTION[warm-up]}" "${OPTION[seconds]}"
  printf '%-13s %9s %8s %8s %8s   %s\n' '' 'answers/s' 'p50 ms' 'p99 ms' 'max ms' 'CPU us/answer: node  database  client   not good  load'
  bench_ocsp_load 64 "${OPTION[warm-up]}"
  bench_line '64 (warm-up)'
  for connections in ${OPTION[connections]//,/ }; do
    bench_ocsp_load "$connections" "${OPTION[seconds]}"
    bench_line "$connections"
  done
}

# As bench_load, of questions.
bench_ocsp_load() {
  local before after client good
  before="$(node_ticks) $(database_ticks)"
  good="$(bench_ocsp_good)"
  export SLUICE_BENCH_RESULT="$BENCH_WORK/result"
  rm -f "$SLUICE_BENCH_RESULT"
  client="$(children_ticks)"
  wrk -t 1 -c "$1" -d "$2s" --timeout 30s -s "$SLUICE_ROOT/loadtest/bench/get.lua" \
    "http://localhost:$(run_value http-port)" -- "$BENCH_WORK/paths" >"$BENCH_WORK/wrk.log" 2>&1 ||
    die "wrk failed: $(last_words "$BENCH_WORK/wrk.log")"
  CLIENT_TICKS=$(($(children_ticks) - client))
  after="$(node_ticks) $(database_ticks)"
  NODE_TICKS=$((${after% *} - ${before% *}))
  DATABASE_TICKS=$((${after#* } - ${before#* }))
  read -r -a RESULT <"$SLUICE_BENCH_RESULT" || die "wrk left no result: $(last_words "$BENCH_WORK/wrk.log")"
  # A response that says "try later" has status 200, too. What the node has counted and wrk has not seen any more is left out.
  good=$(($(bench_ocsp_good) - good))
  if ((good < RESULT[1])); then
    RESULT[2]=$((RESULT[2] + RESULT[1] - good))
    RESULT[1]=$good
  fi
}

bench_ocsp_good() {
  curl -s "http://localhost:$(run_value management-port)/actuator/prometheus" |
    awk '$1 == "ca_ocsp_responses_total{outcome=\"good\"}" { good = $2 } END { printf "%d", good }'
}
