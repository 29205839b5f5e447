# shellcheck shell=bash
# `bench crl`: how long a node takes to plan, record, sign, check and publish a CRL of many entries.

readonly BENCH_CRL_ENTRIES=100000
readonly BENCH_CRL_TIMES=10
# A CRL of this size waits for a second and one for every 10,000 entries, unless a key is compromised.
readonly BENCH_CRL_WAIT_SECONDS=120

bench_crl() {
  local i
  parse_options 'entries node-heap' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "bench crl takes no argument: '${ARGUMENTS[0]}'"
  OPTION[entries]="${OPTION[entries]:-$BENCH_CRL_ENTRIES}"
  require_number entries 1 1000000
  prerequisites_to_run
  require_tools openssl:openssl curl:curl
  build
  BENCH_WORK="$(mktemp -d)"
  trap bench_end EXIT
  bench_trial
  use_data
  say "filling the ledger with ${OPTION[entries]} revocations"
  "$JAVA_HOME/bin/java" -cp "$(echo "$DIST"/lib/postgresql-*.jar)" \
    "$SLUICE_ROOT/loadtest/src/main/java/org/sluiceca/load/RevocationCorpus.java" \
    "jdbc:postgresql://127.0.0.1:$(cat "$DATA/postgres.port")/sluice" sluice "$DATA/secrets/database.password" \
    "${OPTION[entries]}" || die "the ledger cannot be filled"
  await_crl_lines 1
  for ((i = 1; i <= BENCH_CRL_TIMES; i++)); do
    revoke_one "$i"
    await_crl_lines $((i + 1))
  done
  bench_crl_report
}

# The node says of each CRL how many entries it has and how long it took.
crl_lines() { grep -oE 'CRL [0-9]+ of issuing: [0-9]+ entries in [0-9]+ ms' "$DATA/node-0.log" | awk -v least="${OPTION[entries]}" '$5 >= least'; }

await_crl_lines() {
  local deadline=$((SECONDS + BENCH_CRL_WAIT_SECONDS))
  until (($(crl_lines | wc -l) >= $1)); do
    ((SECONDS < deadline)) || die "no CRL of ${OPTION[entries]} entries after $BENCH_CRL_WAIT_SECONDS s: $(grep -o '"message":"the CRL of[^}]*' "$DATA/node-0.log" | tail -n 1 | cut -c 1-300)"
    sleep 0.2
  done
}

# A certificate whose key is compromised: its CRL comes at once.
revoke_one() {
  local serial
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$BENCH_WORK/key" -out "$BENCH_WORK/csr" \
    -subj "/CN=host-$1.example.com" -addext "subjectAltName=DNS:host-$1.example.com" 2>"$BENCH_WORK/req.log" ||
    die "openssl makes no request: $(last_words "$BENCH_WORK/req.log")"
  "$SLUICE_ROOT/sluice" enroll --data "$DATA" --profile tls-server --csr "$BENCH_WORK/csr" --out "$BENCH_WORK/pem" 2>"$BENCH_WORK/enroll.log" ||
    die "not enrolled: $(last_words "$BENCH_WORK/enroll.log")"
  serial="$(openssl x509 -in "$BENCH_WORK/pem" -noout -serial)"
  "$SLUICE_ROOT/sluice" revoke --data "$DATA" "${serial#serial=}" --reason keyCompromise 2>"$BENCH_WORK/revoke.log" ||
    die "not revoked: $(last_words "$BENCH_WORK/revoke.log")"
}

bench_crl_report() {
  local port
  port="$(run_value http-port)"
  curl --silent --fail --max-time 30 --output "$BENCH_WORK/crl" "http://localhost:${port:-$((BENCH_PORT + 1000))}/crl/issuing.crl" ||
    die "the CRL is not served"
  printf '%s, %s cores, %s; load average: %s\n' "$(sed -n 's/^model name.*: //p;T;q' /proc/cpuinfo)" \
    "$(nproc)" "$(jdk_version | sed 's/^/JDK /')" "$(cut -d' ' -f1-3 /proc/loadavg)"
  printf 'one node of %s heap, ECDSA P-256 by SoftHSM, PostgreSQL on the same machine; plan, record, sign, check, record, publish\n' "${OPTION[node-heap]}"
  openssl crl -in "$BENCH_WORK/crl" -inform DER -noout -CAfile "$DATA/chain.pem" >"$BENCH_WORK/verify.log" 2>&1 ||
    die "openssl does not take the CRL: $(last_words "$BENCH_WORK/verify.log")"
  printf 'the CRL has %s octets; openssl: %s\n' "$(stat -c %s "$BENCH_WORK/crl")" "$(last_words "$BENCH_WORK/verify.log")"
  crl_lines | tail -n "$BENCH_CRL_TIMES" | awk '{ print $8 }' | sort -n | awk '{ ms[NR] = $1 }
    END { printf "%d CRLs: fastest %d ms, median %d ms, slowest %d ms\n", NR, ms[1], ms[int((NR + 1) / 2)], ms[NR] }'
}
