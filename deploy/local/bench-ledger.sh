# shellcheck shell=bash
# `bench ledger`: what a certificate costs PostgreSQL, and how many share a commit, without a node around it.

readonly BENCH_LEDGER_CERTIFICATES=3600
readonly BENCH_LEDGER_SECONDS=3
readonly BENCH_LEDGER_SIZES=1,4,16,64
readonly BENCH_LEDGER_CALLERS=4,16,64

bench_ledger() {
  parse_options 'rounds' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "bench ledger takes no argument: '${ARGUMENTS[0]}'"
  OPTION[rounds]="${OPTION[rounds]:-3}"
  require_number rounds 1 9
  prerequisites_to_run
  make_work_directory
  maven "$WORK/ledger.log" -q -Dspotless.check.skip=true -pl ca-api -am test-compile dependency:build-classpath \
    "-Dmdep.outputFile=$WORK/ledger.classpath" -Dmdep.includeScope=test ||
    die "the benchmark does not build: $(last_words "$WORK/ledger.log")"
  printf '%s cores, %s; load average before: %s\n' "$(nproc)" "$(jdk_version | sed 's/^/JDK /')" "$(cut -d' ' -f1-3 /proc/loadavg)"
  # What the server's starter has to say stands in the log.
  (cd "$WORK" && timeout 600 "$JAVA_HOME/bin/java" -XX:+UseSerialGC -Xmx256m --enable-native-access=ALL-UNNAMED \
    -cp "$SLUICE_ROOT/ca-api/target/test-classes:$SLUICE_ROOT/ca-api/target/classes:$(cat "$WORK/ledger.classpath")" \
    org.sluiceca.api.issuance.store.LedgerBench $BENCH_LEDGER_CERTIFICATES $BENCH_LEDGER_SECONDS "${OPTION[rounds]}" \
    $BENCH_LEDGER_SIZES $BENCH_LEDGER_CALLERS 2>&1) |
    tee "$WORK/ledger.out" | grep --line-buffered -E '^(size|callers| *[0-9]+ )' ||
    die "the benchmark failed: $(last_words "$WORK/ledger.out")"
}
