#!/usr/bin/env bash
# The tests that stand on PostgreSQL, with PostgreSQL in a container (Testcontainers), where no registry is reached:
# Debian's engine in a network namespace of its own, and an image made here under the name that the tests ask for. As
# root. `testcontainers.sh [TESTS]`, by default those of the ledger; a missing engine is a failure.
set -uo pipefail

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
ROOT="$(cd "$HERE/../../.." && pwd)"
TOOLS="$ROOT/target/tools"
TESTS="${1:-org.sluiceca.api.**.store.**}"
WORK="$(mktemp -d)"
WHY=''
export LC_ALL=C
# shellcheck source=/dev/null
source "$HERE/engine.sh"

finish() {
  trap '' INT TERM
  engine_stop
  rm -rf --one-file-system "$WORK"
}
trap finish EXIT
trap 'exit 1' INT TERM

fail() { printf '%s\n' "$*" >&2; exit 1; }

image="$(sed -n 's/^ *private static final String IMAGE = "\(.*\)";$/\1/p' "$ROOT/ca-api/src/test/java/org/sluiceca/api/platform/store/PostgresForTests.java")"
[ -n "$image" ] || fail "the tests name no image"
unset DOCKER_HOST
engine_start || fail "$WHY"
[ -n "$ENGINE_PID" ] || fail "another engine answers: ./mvnw verify uses it by itself"
if ! { engine_base_image sluice-base:testcontainers && engine_database sluice-base:testcontainers "$image"; } >"$WORK/image.log" 2>&1; then
  fail "no image: $(tail -n 2 "$WORK/image.log")"
fi
# In the namespace nothing is downloaded: what Maven needs is there after a build. The reaper's image is not.
TESTCONTAINERS_RYUK_DISABLED=true TESTCONTAINERS_CHECKS_DISABLE=true TESTCONTAINERS_HOST_OVERRIDE=127.0.0.1 \
  "${ENGINE_IN[@]}" "$ROOT/mvnw" -B -ntp -o -f "$ROOT/pom.xml" test -pl ca-core,hsm-adapter,ca-api -am "-Dtest=$TESTS" \
  -Dsurefire.failIfNoSpecifiedTests=false -Drequire.docker=true
status=$?
cat "$ROOT/ca-api/target/test-environment.txt"
exit "$status"
