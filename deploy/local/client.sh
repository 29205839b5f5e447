# shellcheck shell=bash
# The client: a jar of its own (ca-api/client). In a checkout the trial in var/ is the service unless another is named.

readonly CLIENT_FLAGS=(-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx256m)
# A start-up cache of another path or JDK is left alone, in silence.
readonly CLIENT_QUIET=-Xlog:disable

# client ARGUMENTS…: becomes the client's command of the launcher's name.
client() {
  local cache=()
  prerequisites_to_run
  # Not rebuilt for each change: nodes run from the same folder.
  [ -f "$DIST/sluice.jar" ] || build
  [ -f "$DIST/sluice.jar" ] || die "no client (sluice.jar) in $DIST"
  [ ! -f "$DIST/sluice.aot" ] || cache=(-XX:AOTCache="$DIST/sluice.aot")
  export SLUICE_DEFAULT_DATA="$SLUICE_ROOT/var"
  # Arguments, file names and output may contain non-ASCII characters, whatever the caller's locale.
  export LC_ALL=C.UTF-8 SLUICE_CALLER_LC_ALL="$CALLER_LC_ALL"
  exec "$JAVA_HOME/bin/java" "${CLIENT_FLAGS[@]}" "$CLIENT_QUIET" "${cache[@]}" -jar "$DIST/sluice.jar" "$COMMAND" "$@"
}
