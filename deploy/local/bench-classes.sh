# shellcheck shell=bash
# `bench classes`: the classes of this product that take part in one warm enrollment, counted from outside.

readonly BENCH_CLASSES_PORT=28449
readonly BENCH_CLASSES_WARM_UP=200
readonly BENCH_CLASSES_ROUNDS=10

bench_classes() {
  parse_options '' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "bench classes takes no argument: '${ARGUMENTS[0]}'"
  bench_defaults
  prerequisites_to_run
  require_tools openssl:openssl curl:curl
  build
  BENCH_WORK="$(mktemp -d)"
  trap bench_end EXIT
  export JDK_JAVA_OPTIONS="-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:$BENCH_CLASSES_PORT"
  bench_trial
  unset JDK_JAVA_OPTIONS
  use_data
  recall_settings
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$BENCH_WORK/key" -out "$BENCH_WORK/csr" \
    -subj /CN=www.example.com -addext subjectAltName=DNS:www.example.com 2>/dev/null
  {
    printf 'url = "https://localhost:%s/v1/certificates?profile=tls-server"\ncacert = "%s"\n' "$(run_value port)" "$DATA/root.pem"
    printf 'header = "Authorization: Bearer %s"\nheader = "Content-Type: application/pkcs10"\n' "$(cat "$DATA/enroll.token")"
    printf 'header = "Accept: application/json"\ndata-binary = "@%s"\nsilent\nfail\n' "$BENCH_WORK/csr"
  } >"$BENCH_WORK/curl"
  say "enrolling $BENCH_CLASSES_WARM_UP certificates first"
  local i
  for ((i = 0; i < BENCH_CLASSES_WARM_UP; i++)); do
    curl -K "$BENCH_WORK/curl" -o /dev/null || die "an enrollment failed: see $DATA/node-0.log"
  done
  "$JAVA_HOME/bin/java" "$SLUICE_ROOT/loadtest/bench/EnrolledClasses.java" \
    "$BENCH_CLASSES_PORT" "$BENCH_CLASSES_ROUNDS" curl -K "$BENCH_WORK/curl"
}
