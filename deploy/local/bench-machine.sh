# shellcheck shell=bash
# `bench machine`: what this machine's cores take for a certificate, a TLS handshake by the kind of key, a verification and a
# kept OCSP answer, as the file that `plan --machine` reads. docs/SIZING.md.

readonly BENCH_MACHINE_SECONDS=15
readonly BENCH_MACHINE_ROUND_SECONDS=1

bench_machine() {
  parse_options 'out seconds warm-up connections requests node-heap machine' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "bench machine takes no argument: '${ARGUMENTS[0]}'"
  OPTION[seconds]="${OPTION[seconds]:-$BENCH_MACHINE_SECONDS}"
  OPTION[connections]="${OPTION[connections]:-64}"
  [[ "${OPTION[connections]}" =~ ^[0-9]+$ ]] || bad_usage "bench machine takes one number of connections, not '${OPTION[connections]}'"
  bench_defaults
  OPTION[out]="$(absolute_path "${OPTION[out]:-$SLUICE_ROOT/var/machine.json}")"
  [ -d "$(dirname "${OPTION[out]}")" ] || mkdir -p "$(dirname "${OPTION[out]}")"
  OPTION[machine]="$(absolute_path "${OPTION[machine]:-$PLAN_SIZING/machine.json}")"
  prerequisites_to_run
  require_tools wrk:wrk openssl:openssl curl:curl
  build
  load_classes
  make_work_directory
  BENCH_WORK="$(mktemp -d)"
  trap bench_end EXIT
  maven "$WORK/machine.log" -q -Dspotless.check.skip=true -pl ca-core test-compile dependency:build-classpath \
    "-Dmdep.outputFile=$WORK/machine.classpath" -Dmdep.includeScope=test ||
    die "the benchmark does not build: $(last_words "$WORK/machine.log") (log $WORK/machine.log)"
  bench_facts 'Costs of a machine' 'Processor time by the kernel and the JVM; a node, its token and database, and the clients on the same cores.'
  say "verifications and handshakes of one thread"
  # TlsPolicy's groups.
  "$JAVA_HOME/bin/java" -XX:+UseSerialGC -Xmx256m --enable-native-access=ALL-UNNAMED \
    -Djdk.tls.namedGroups=x25519,secp256r1,secp384r1 -Djava.io.tmpdir="$BENCH_WORK" \
    -cp "$SLUICE_ROOT/ca-core/target/classes:$SLUICE_ROOT/ca-core/target/test-classes:$(cat "$WORK/machine.classpath")" \
    org.sluiceca.core.bench.machine.MachineBench "$BENCH_WORK" "$BENCH_MACHINE_ROUND_SECONDS" >>"$BENCH_RECORD" ||
    die 'one thread alone could not be measured'
  bench_trial
  use_data
  [ -n "$(living_nodes)" ] || die "no node of $DATA runs here"
  bench_machine_certificates
  bench_machine_ocsp
  bench_machine_handshakes
  bench_figure node/memory "$(awk '/^VmRSS/ { print $2 / 1000 * 1.024 }' "/proc/$(node_pid 0)/status")" 'resident after all loads, MB'
  bench_fact 'load average after' "$(cut -d' ' -f1-3 /proc/loadavg)"
  "$JAVA_HOME/bin/java" -cp "$SLUICE_ROOT/loadtest/target/classes:$DIST/lib/*" org.sluiceca.load.sizing.MachineFile \
    --record "$BENCH_RECORD" --base "${OPTION[machine]}" --out "${OPTION[out]}" || die 'these are no costs of a machine'
  say "written to ${OPTION[out]}: ./sluice plan --machine ${OPTION[out]}"
}

# bench_figure NAME NUMBER HOW: a line of the record.
bench_figure() { printf '%s\t%s\t%s\n' "$1" "$2" "$3" >>"$BENCH_RECORD"; }

# bench_micros TICKS COUNT: microseconds each.
bench_micros() { awk -v ticks="$1" -v count="$2" -v hertz="$HERTZ" 'BEGIN { printf "%.2f", count ? ticks * 1e6 / hertz / count : 0 }'; }

bench_machine_certificates() {
  local corpus="$BENCH_WORK/corpus" before issued how
  bench_corpus "$corpus"
  say "certificates: ${OPTION[warm-up]} s warm-up, ${OPTION[seconds]} s"
  ((OPTION[warm-up] == 0)) || bench_load "${OPTION[connections]}" "${OPTION[warm-up]}" "$corpus"
  # Sets WRITTEN, octets of log and tables, once the index has caught up.
  bench_index_feed on
  before="$WRITTEN"
  bench_load "${OPTION[connections]}" "${OPTION[seconds]}" "$corpus"
  bench_require_honest
  issued="${RESULT[1]}"
  how="${OPTION[connections]} kept HTTPS connections, closed loop, JSON, P-256, ${OPTION[seconds]} s after ${OPTION[warm-up]} s, $issued certificates"
  bench_figure node/certificate "$(bench_micros "$NODE_TICKS" "$issued")" "$how"
  bench_figure database/certificate "$(bench_micros "$DATABASE_TICKS" "$issued")" "$how"
  bench_index_feed on
  bench_figure database/octets "$(bench_machine_each "$before" 2 "$issued")" "all tables with their indexes; $how"
  bench_figure database/log "$(bench_machine_each "$before" 1 "$issued")" "write-ahead log; $how"
}

# bench_machine_each BEFORE FIELD COUNT: of WRITTEN.
bench_machine_each() {
  awk -v before="$1" -v after="$WRITTEN" -v field="$2" -v count="$3" \
    'BEGIN { split(before, b); split(after, a); printf "%.1f", (a[field] - b[field]) / count }'
}

bench_machine_ocsp() {
  bench_ocsp_questions
  say "kept OCSP answers: 10 s warm-up, ${OPTION[seconds]} s"
  bench_ocsp_load "${OPTION[connections]}" 10
  bench_ocsp_load "${OPTION[connections]}" "${OPTION[seconds]}"
  bench_figure node/ocsp "$(bench_micros "$NODE_TICKS" "${RESULT[1]}")" \
    "${OPTION[connections]} kept HTTP connections, closed loop, ${OPTION[seconds]} s, ${RESULT[1]} answers"
}

# A connection for each request, and then the same request over a kept connection: the difference is the connection's.
bench_machine_handshakes() {
  local request full resumed
  say "handshakes: 15 s warm-up, ${OPTION[seconds]} s in full, as long resumed"
  bench_machine_connect new 15
  bench_machine_connect new "${OPTION[seconds]}"
  full="$EACH"
  bench_machine_connect reuse "${OPTION[seconds]}"
  resumed="$EACH"
  bench_machine_requests 5
  bench_machine_requests "${OPTION[seconds]}"
  request="$EACH"
  bench_figure node/request "$request" "the request of these connections, over a kept one"
  bench_figure node/handshake/full "$(awk -v all="$full" -v request="$request" 'BEGIN { print all - request }')" \
    "openssl s_time, one connection after another, P-256, less node/request"
  bench_figure node/handshake/resumed "$(awk -v all="$resumed" -v request="$request" 'BEGIN { print all - request }')" \
    "openssl s_time -reuse, less node/request"
}

# bench_machine_connect new|reuse SECONDS: sets EACH, microseconds of the node.
bench_machine_connect() {
  local before count
  before="$(node_ticks)"
  openssl s_time -connect "localhost:$(run_value port)" -CAfile "$DATA/root.pem" -tls1_3 "-$1" -time "$2" -www / \
    >"$BENCH_WORK/s_time" 2>"$BENCH_WORK/s_time.log" || die "openssl s_time: $(last_words "$BENCH_WORK/s_time.log")"
  count="$(awk '/real seconds/ { print $1 }' "$BENCH_WORK/s_time" | tail -n 1)"
  [[ "$count" =~ ^[1-9][0-9]*$ ]] || die "openssl s_time made no connection: $(last_words "$BENCH_WORK/s_time")"
  EACH="$(bench_micros $(($(node_ticks) - before)) "$count")"
}

# bench_machine_requests SECONDS: sets EACH; the same request as s_time's, one connection.
bench_machine_requests() {
  local before
  printf '/\n' >"$BENCH_WORK/root-path"
  before="$(node_ticks)"
  export SLUICE_BENCH_RESULT="$BENCH_WORK/result"
  rm -f "$SLUICE_BENCH_RESULT"
  wrk -t 1 -c 1 -d "$1s" --timeout 30s -s "$SLUICE_ROOT/loadtest/bench/get.lua" "https://localhost:$(run_value port)" -- \
    "$BENCH_WORK/root-path" >"$BENCH_WORK/wrk.log" 2>&1 || die "wrk failed: $(last_words "$BENCH_WORK/wrk.log")"
  read -r -a RESULT <"$SLUICE_BENCH_RESULT" || die "wrk left no result: $(last_words "$BENCH_WORK/wrk.log")"
  EACH="$(bench_micros $(($(node_ticks) - before)) $((RESULT[1] + RESULT[2])))"
}
