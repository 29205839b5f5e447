# shellcheck shell=bash
# `bench`: the ceiling of one node on this machine, end to end; `bench micro`, `bench ratios`: the steps of the line;
# `bench lane`: what stands between a request and the token. The others stand in files of their own, and so does the
# result page (bench-page.sh).

# Distinct requests, each with a key of its own: a key seen before is cheaper in some libraries.
readonly BENCH_REQUESTS=12000
# The JIT compiler needs some 30,000 enrollments before the code stops getting faster.
readonly BENCH_WARM_UP_SECONDS=60
readonly BENCH_SECONDS=20
readonly BENCH_CONNECTIONS='16 64'
readonly BENCH_PORT=28443

bench() {
  case "${1:-}" in
    micro | ratios | lane | ledger | classes | client | crl | ocsp | find | index | isolation | machine | peers | acme | idle)
      "bench_$1" "${@:2}"
      return
      ;;
  esac
  parse_options 'data seconds warm-up connections requests node-heap issuer-key cpu-profile out' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "bench takes no argument but micro, ratios, lane, ledger, classes, client, crl, ocsp, find, index, isolation, machine, peers, acme or idle: '${ARGUMENTS[0]}'"
  bench_defaults
  require_algorithm issuer-key "${OPTION[issuer-key]}"
  [ -z "${CHOSEN[data]:-}" ] || [ -z "${CHOSEN[issuer-key]:-}" ] || bad_usage "--issuer-key is for a trial of the benchmark's own, not for --data"
  prerequisites_to_run
  require_tools wrk:wrk openssl:openssl curl:curl
  build
  load_classes
  BENCH_WORK="$(mktemp -d)"
  trap bench_end EXIT
  [ "${OPTION[issuer-key]}" != rsa-2048 ] || bench_make_bare_token
  [ -n "${CHOSEN[data]:-}" ] || bench_trial
  use_data
  recall_settings
  bench_run
}

bench_defaults() {
  OPTION[seconds]="${OPTION[seconds]:-$BENCH_SECONDS}"
  OPTION[warm-up]="${OPTION[warm-up]:-$BENCH_WARM_UP_SECONDS}"
  OPTION[requests]="${OPTION[requests]:-$BENCH_REQUESTS}"
  OPTION[connections]="${OPTION[connections]:-$BENCH_CONNECTIONS}"
  require_number seconds 1 600
  require_number warm-up 0 600
  # One node's places bound what more connections could show; 99,999 requests are 40 MB.
  require_number requests 1 99999
  [[ "${OPTION[connections]}" =~ ^[1-9][0-9]{0,2}([ ,][1-9][0-9]{0,2}){0,7}$ ]] ||
    bad_usage "--connections is one to eight numbers up to 999, e.g. 16,64"
}

# A trial of its own, thrown away afterwards: a fresh ledger, no other load.
bench_trial() {
  OPTION[data]="$BENCH_WORK/data"
  BENCH_OWN=yes
  say "starting a trial for the benchmark (ports $BENCH_PORT, $((BENCH_PORT + 1000)), $((BENCH_PORT + 2000)))"
  "$SLUICE_ROOT/sluice" up --detach --data "${OPTION[data]}" --port "$BENCH_PORT" \
    --http-port $((BENCH_PORT + 1000)) --management-port $((BENCH_PORT + 2000)) --node-heap "${OPTION[node-heap]}" --issuer-key "${OPTION[issuer-key]}" \
    >"$BENCH_WORK/up.out" 2>"$BENCH_WORK/up.log" || die "no trial: $(last_words "$BENCH_WORK/up.log")"
}

bench_end() {
  [ -z "${BENCH_OWN:-}" ] || "$SLUICE_ROOT/sluice" down --data "${OPTION[data]}" >/dev/null 2>&1 || true
  [ -z "${BENCH_WORK:-}" ] || rm -rf "$BENCH_WORK"
}

bench_run() {
  local corpus="$BENCH_WORK/corpus" connections
  [ -n "$(living_nodes)" ] || die "no node of $DATA runs here: ./sluice up --data $DATA"
  bench_corpus "$corpus"
  bench_facts "One node, ${OPTION[issuer-key]}" "$(bench_what)"
  bench_conditions
  bench_bare_token
  bench_heading
  bench_stored
  STORED_BEFORE="$STORED"
  if ((OPTION[warm-up] > 0)); then
    bench_load 64 "${OPTION[warm-up]}" "$corpus"
    bench_line "64 (warm-up)"
    bench_record sluice "${OPTION[issuer-key]}" 64 0
  fi
  for connections in ${OPTION[connections]//,/ }; do
    bench_load "$connections" "${OPTION[seconds]}" "$corpus"
    bench_line "$connections"
    bench_require_honest
    bench_record sluice "${OPTION[issuer-key]}" "$connections" $((1 + $(grep -c "load=$connections"$'\t'"round=[1-9]" "$BENCH_RECORD" || true)))
  done
  bench_bare_token
  # In a load of its own, at the last number of connections: recording costs time, so what is measured goes without.
  if [ "${OPTION[cpu-profile]}" != false ]; then
    bench_cpu_profile bench_load "$connections" "${OPTION[seconds]}" "$corpus"
    # Not measured, as the warm-up is not; but its certificates are stored.
    bench_record sluice "${OPTION[issuer-key]}" "$connections" 0
  fi
  bench_batches "$corpus"
  bench_stored
  bench_verify
  bench_record_store sluice "${OPTION[issuer-key]}"
  [ -z "$BARE_TOKEN" ] || bench_fact 'bare token signatures/s' "$BARE_TOKEN"
  bench_page "$([ "${OPTION[issuer-key]}" = ec-p256 ] && echo bench || echo "bench-${OPTION[issuer-key]}")"
}

# bench_corpus FILE: bodies of requests to send, with FILE.csrs and FILE.head, and the PORT to send them to.
bench_corpus() {
  PORT="$(run_value port)"
  PORT="${PORT:-8443}"
  bench_csrs "$1.csrs"
  sed 's/.*/{"profile":"tls-server","csr":"&"}/' "$1.csrs" >"$1"
  bench_head "$1.head"
}

# bench_head FILE: path and fields of a request to the trial.
bench_head() {
  printf '%s\n' /v1/certificates "Authorization: Bearer $(head -n 1 "$DATA/enroll.token")" \
    'Content-Type: application/json' 'Accept: application/json' >"$1"
}

# bench_csrs FILE: in base64, one a line.
bench_csrs() {
  say "making ${OPTION[requests]} requests with P-256 keys"
  "$JAVA_HOME/bin/java" -cp "$(echo "$DIST"/lib/bcprov-*.jar)" \
    "$SLUICE_ROOT/loadtest/src/main/java/org/sluiceca/load/CsrCorpus.java" "${OPTION[requests]}" "$1" ||
    die "cannot make requests"
}

bench_conditions() {
  printf '%s, %s cores, %s; load average before: %s\n' "$(sed -n 's/^model name.*: //p;T;q' /proc/cpuinfo)" \
    "$(nproc)" "$(jdk_version | sed 's/^/JDK /')" "$(cut -d' ' -f1-3 /proc/loadavg)"
  printf 'one core signs and verifies P-256 by OpenSSL so often a second: %s\n' \
    "$(openssl speed -seconds 1 ecdsap256 2>/dev/null | awk '/nistp256/ {print $(NF-1), $NF}')"
  printf 'closed loop by wrk over kept HTTPS connections, JSON in and out, %s distinct P-256 requests in turn,\n' "${OPTION[requests]}"
  printf 'profile tls-server, %s s warm-up, %s s each; client, node, token and database on these cores\n\n' "${OPTION[warm-up]}" "${OPTION[seconds]}"
}

bench_heading() {
  printf '%-13s %9s %8s %8s %8s   %s\n' '' 'certs/s' 'p50 ms' 'p99 ms' 'max ms' 'CPU us/certificate: node  database  client   not 201  load'
}

# bench_load CONNECTIONS SECONDS CORPUS: sets RESULT (see issue.lua) and what it took.
bench_load() {
  bench_costs_begin
  bench_wrk "$1" "$2" "$PORT" "$3.head" "$3" 201 again
  bench_costs_end
}

# bench_wrk CONNECTIONS SECONDS PORT HEAD BODIES STATUS MODE: sets RESULT and CLIENT_TICKS.
bench_wrk() {
  local client
  export SLUICE_BENCH_RESULT="$BENCH_WORK/result"
  rm -f "$SLUICE_BENCH_RESULT"
  # The time of ended children is in times of the shell.
  client="$(children_ticks)"
  wrk -t 1 -c "$1" -d "$2s" --timeout 30s -s "$SLUICE_ROOT/loadtest/bench/issue.lua" "https://localhost:$3" -- \
    "${@:4}" >"$BENCH_WORK/wrk.log" 2>&1 || die "wrk failed: $(last_words "$BENCH_WORK/wrk.log")"
  CLIENT_TICKS=$(($(children_ticks) - client))
  read -r -a RESULT <"$SLUICE_BENCH_RESULT" || die "wrk left no result: $(last_words "$BENCH_WORK/wrk.log")"
}

bench_line() {
  awk -v label="$1" -v seconds="${RESULT[0]}" -v issued="${RESULT[1]}" -v other="${RESULT[2]}" -v errors="${RESULT[3]}" \
    -v p50="${RESULT[4]}" -v p99="${RESULT[5]}" -v max="${RESULT[6]}" -v hertz="$(getconf CLK_TCK)" \
    -v node="$NODE_TICKS" -v database="$DATABASE_TICKS" -v client="$CLIENT_TICKS" \
    -v load="$(cut -d' ' -f1 /proc/loadavg)" '
    function milliseconds(ms) { return ms == "unknown" ? "-" : sprintf("%.1f", ms) }
    BEGIN {
      unit = issued ? 1e6 / hertz / issued : 0
      printf "%-13s %9.0f %8s %8s %8s %31.0f %9.0f %7.0f %9d %5s\n", label, issued / seconds, milliseconds(p50), milliseconds(p99), milliseconds(max),
        node * unit, database * unit, client * unit, other + errors, load }'
}

# What is measured must be certificates, not refusals.
bench_require_honest() {
  ((RESULT[1] > 0)) || die "nothing was issued: see $DATA/node-0.log"
  ((RESULT[2] + RESULT[3] == 0)) || say "warning: ${RESULT[2]} answers were no 201, ${RESULT[3]} connections failed: not a ceiling"
}

# CPU time in ticks, user and system, of all nodes of DATA.
node_ticks() {
  local i sum=0
  for i in $(living_nodes); do
    sum=$((sum + $(process_ticks "$(node_pid "$i")")))
  done
  printf '%s' "$sum"
}

# The server with its children, ended ones too; 0 for a database that is not ours.
database_ticks() {
  local server sum pid
  server="$(head -n 1 "$DATA/postgres/data/postmaster.pid" 2>/dev/null)" || { printf 0; return; }
  sum="$(ended_children_ticks "$server")"
  for pid in "$server" $(cat "/proc/$server/task/$server/children" 2>/dev/null); do
    sum=$((sum + $(process_ticks "$pid")))
  done
  printf '%s' "$sum"
}

# Fields 14 and 15 of proc(5) stat, after the name, which may hold blanks.
process_ticks() { sed 's/^.*) //' "/proc/$1/stat" 2>/dev/null | awk '{ print $12 + $13 }' || printf 0; }

# Of a process's ended children: fields 16 and 17.
ended_children_ticks() { sed 's/^.*) //' "/proc/$1/stat" 2>/dev/null | awk '{ print $14 + $15 }' || printf 0; }

# Of this shell's.
children_ticks() { ended_children_ticks "$$"; }

# JMH over the line's steps, compared with the committed baseline in units of the machine's yardstick.
bench_micro() {
  [ $# -le 1 ] && [[ "${1:-save}" =~ ^(save|cost)$ ]] || bad_usage "bench micro takes save or cost or nothing, not '$*'"
  bench_core org.sluiceca.core.bench.MicroBench "$SLUICE_ROOT/docs/performance/micro-baseline.txt" "$@"
}

# Steps of the line in units of other code of the same run, and their allocation: the nightly regression gate.
bench_ratios() {
  [ $# -le 1 ] && [ "${1:-save}" = save ] || bad_usage "bench ratios takes save or nothing, not '$*'"
  bench_core org.sluiceca.core.bench.ratio.RatioBench "$SLUICE_ROOT/docs/performance/ratio-baseline.txt" "$@"
}

# bench_core CLASS ARGUMENTS…: runs a benchmark among the tests of ca-core.
bench_core() {
  prerequisites_to_run
  make_work_directory
  maven "$WORK/micro.log" -q -Dspotless.check.skip=true -pl ca-core test-compile dependency:build-classpath \
    "-Dmdep.outputFile=$WORK/micro.classpath" -Dmdep.includeScope=test ||
    die "the benchmarks do not build: $(last_words "$WORK/micro.log")"
  exec "$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED \
    -cp "$SLUICE_ROOT/ca-core/target/classes:$SLUICE_ROOT/ca-core/target/test-classes:$(cat "$WORK/micro.classpath")" "$@"
}

# The way to the token on a simulated HSM of 8,600/s (20 servers of 2.3256 ms) whose signatures cost nothing.
readonly BENCH_LANE_SERVERS=20
readonly BENCH_LANE_MS=2.3256
readonly BENCH_LANE_SESSIONS=48
readonly BENCH_LANE_REQUESTERS=192

bench_lane() {
  parse_options 'seconds' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "bench lane takes no argument: '${ARGUMENTS[0]}'"
  OPTION[seconds]="${OPTION[seconds]:-10}"
  require_number seconds 1 600
  prerequisites_to_run
  require_tools gcc:gcc make:make softhsm2-util:softhsm2
  require_nethsm_header
  make_work_directory
  BENCH_WORK="$(mktemp -d)"
  trap bench_end EXIT
  local device="$SLUICE_ROOT/loadtest/nethsm" pin=57320648
  make -s -C "$device" >"$WORK/make.log" 2>&1 || die "nethsm does not build: $(last_words "$WORK/make.log")"
  export SOFTHSM2_CONF="$BENCH_WORK/softhsm2.conf" NETHSM_STATE="$BENCH_WORK/device" NETHSM_MODULE
  NETHSM_MODULE="$(find_softhsm)" || missing_prerequisite "libsofthsm2.so not found: install the package softhsm2"
  mkdir "$BENCH_WORK/tokens"
  printf 'directories.tokendir = %s\nlog.level = ERROR\n' "$BENCH_WORK/tokens" >"$SOFTHSM2_CONF"
  printf '%s' "$pin" >"$BENCH_WORK/pin"
  softhsm2-util --init-token --free --label bench --pin "$pin" --so-pin "$pin" >/dev/null || die 'no token'
  "$device/target/nethsm" "$NETHSM_STATE" create --profile plain --servers $BENCH_LANE_SERVERS \
    --service "ec-p256=$BENCH_LANE_MS" >/dev/null
  "$device/target/nethsm" "$NETHSM_STATE" fault fake on >/dev/null
  bench_lane_in_c "$device" "$pin"
  maven "$WORK/lane.log" -q -Dspotless.check.skip=true -pl hsm-adapter test-compile dependency:build-classpath \
    "-Dmdep.outputFile=$WORK/lane.classpath" -Dmdep.includeScope=test ||
    die "the benchmark does not build: $(last_words "$WORK/lane.log")"
  timeout $((90 + 6 * OPTION[seconds])) "$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED \
    --add-exports=jdk.crypto.cryptoki/sun.security.pkcs11.wrapper=ALL-UNNAMED \
    --add-opens=jdk.crypto.cryptoki/sun.security.pkcs11.wrapper=ALL-UNNAMED \
    -cp "$SLUICE_ROOT/hsm-adapter/target/test-classes:$SLUICE_ROOT/hsm-adapter/target/classes:$(cat "$WORK/lane.classpath")" \
    org.sluiceca.hsm.bench.LaneBench "$device/target/libnethsm.so" bench "$BENCH_WORK/pin" \
    $BENCH_LANE_SESSIONS $BENCH_LANE_REQUESTERS "${OPTION[seconds]}"
  say "load average now: $(cut -d' ' -f1 /proc/loadavg)"
}

# The same sessions in a loop in C: how much this machine can get from the device.
bench_lane_in_c() {
  local from to made
  export CALLER_MODULE="$1/target/libnethsm.so" CALLER_PIN="$2" CALLER_LOCK="$BENCH_WORK/lock"
  "$1/target/caller" keys >/dev/null || die 'the C caller makes no keys'
  from=$(($("$1/target/caller" clock) + 2000000000))
  to=$((from + OPTION[seconds] * 1000000000))
  # It says no to the fake signatures that it verifies, which is right; what it counted stands.
  made="$(timeout $((OPTION[seconds] + 30)) "$1/target/caller" load ec $BENCH_LANE_SESSIONS "$from" "$to")" || true
  [[ "$made" =~ window=([0-9]+) ]] || die "the C loop failed: $made"
  say "C loop, $BENCH_LANE_SESSIONS sessions: $((BASH_REMATCH[1] / OPTION[seconds])) signatures/s"
}

# In process against isolated: bench_isolation [SECONDS_OF_A_RUN [PAIRS]]. A token of its own, thrown away.
bench_isolation() {
  local seconds="${1:-1}" pairs="${2:-5}" module
  [ $# -le 2 ] || bad_usage "bench isolation takes at most SECONDS and PAIRS, not '$3'"
  [[ "$seconds" =~ ^[1-9][0-9]?$ && "$pairs" =~ ^[1-9][0-9]?$ ]] || bad_usage "bench isolation [SECONDS [PAIRS]]: 1 to 99 each"
  prerequisites_to_run
  require_tools cc:gcc
  module="$(find_softhsm)" || missing_prerequisite "libsofthsm2.so not found: install the package softhsm2"
  make_work_directory
  maven "$WORK/isolation.log" -q -Dspotless.check.skip=true -pl hsm-adapter test-compile dependency:build-classpath \
    "-Dmdep.outputFile=$WORK/isolation.classpath" -Dmdep.includeScope=test ||
    die "the benchmark does not build: $(last_words "$WORK/isolation.log")"
  BENCH_WORK="$(mktemp -d)"
  trap bench_end EXIT
  mkdir "$BENCH_WORK/tokens"
  printf 'directories.tokendir = %s\nobjectstore.backend = file\nlog.level = ERROR\n' "$BENCH_WORK/tokens" >"$BENCH_WORK/softhsm2.conf"
  export SOFTHSM2_CONF="$BENCH_WORK/softhsm2.conf"
  # A PIN that guards nothing: the token is gone with the folder.
  softhsm2-util --init-token --free --label bench --pin 648219 --so-pin 90210000 >/dev/null || die "no token in $BENCH_WORK"
  echo 648219 >"$BENCH_WORK/pin"
  cc -O1 -shared -fPIC "-DFAULT_REAL=\"$module\"" "-DFAULT_DIR=\"$BENCH_WORK\"" -o "$BENCH_WORK/fault_pkcs11.so" \
    "$SLUICE_ROOT/hsm-adapter/src/test/c/fault_pkcs11.c" -ldl || die "the module of the benchmark does not compile"
  printf '%s cores, %s; load average before: %s\n' "$(nproc)" "$(jdk_version | sed 's/^/JDK /')" "$(cut -d' ' -f1-3 /proc/loadavg)"
  "$JAVA_HOME/bin/java" -XX:+UseSerialGC -Xmx96m --enable-native-access=ALL-UNNAMED \
    --add-exports=jdk.crypto.cryptoki/sun.security.pkcs11.wrapper=ALL-UNNAMED \
    -cp "$SLUICE_ROOT/hsm-adapter/target/test-classes:$SLUICE_ROOT/hsm-adapter/target/classes:$(cat "$WORK/isolation.classpath")" \
    org.sluiceca.hsm.isolate.IsolationBench "$BENCH_WORK" "$seconds" "$pairs"
}
