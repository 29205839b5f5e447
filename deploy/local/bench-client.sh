# shellcheck shell=bash
# `bench client`: how long the client takes from its start to its end, with and without its start-up cache.

readonly BENCH_CLIENT_ROUNDS=20

bench_client() {
  local round name
  parse_options 'rounds' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "bench client takes no argument: '${ARGUMENTS[0]}'"
  OPTION[rounds]="${OPTION[rounds]:-$BENCH_CLIENT_ROUNDS}"
  require_number rounds 1 1000
  prerequisites_to_run
  build
  [ -f "$DIST/sluice.aot" ] || client_cache
  [ -f "$DIST/sluice.aot" ] || die "no start-up cache in $DIST: see $WORK/build.log"
  BENCH_WORK="$(mktemp -d)"
  trap 'rm -rf "$BENCH_WORK"' EXIT
  printf 'none\n' >"$BENCH_WORK/token"
  # In turn, so that what else the machine does meets all alike.
  for ((round = 1; round <= OPTION[rounds]; round++)); do
    bench_client_once cached-version -XX:AOTCache="$DIST/sluice.aot" -- --version
    bench_client_once plain-version -- --version
    bench_client_once cached-get -XX:AOTCache="$DIST/sluice.aot" -- get 2a --url https://127.0.0.1:1 --token-file "$BENCH_WORK/token"
    bench_client_once plain-get -- get 2a --url https://127.0.0.1:1 --token-file "$BENCH_WORK/token"
  done
  printf '%s rounds in turn, whole processes, milliseconds; %s processors of %s, JDK %s, load average %s\n' "${OPTION[rounds]}" \
    "$(nproc)" "$(sed -n 's/^model name.*: //p;T;q' /proc/cpuinfo)" "$(jdk_version)" "$(cut -d' ' -f1 /proc/loadavg)"
  printf '%-44s %7s %7s %7s\n' '' least median most
  while read -r name words; do
    sort -n "$BENCH_WORK/$name" | awk -v what="$words" '{ t[NR] = $1 } END { printf "%-44s %7d %7d %7d\n", what, t[1], t[int((NR + 1) / 2)], t[NR] }'
  done <<'LIST'
cached-version --version
plain-version --version, without the cache
cached-get get, as far as a connection that is refused
plain-get the same without the cache
LIST
}

# bench_client_once NAME FLAGS… -- WORDS…
bench_client_once() {
  local name="$1" flags=() began
  shift
  while [ "$1" != -- ]; do
    flags+=("$1")
    shift
  done
  shift
  began=$EPOCHREALTIME
  "$JAVA_HOME/bin/java" "${CLIENT_FLAGS[@]}" "$CLIENT_QUIET" "${flags[@]}" -jar "$DIST/sluice.jar" "$@" >/dev/null 2>&1 || true
  awk -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.0f\n", (b - a) * 1000 }' >>"$BENCH_WORK/$name"
}
