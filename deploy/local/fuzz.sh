#!/usr/bin/env bash
# fuzz.sh TARGET [SECONDS]: looks with Jazzer for inputs that break a promise of the code.
#
# Targets: CsrFuzz SignedCsrFuzz TextFuzz JwsFuzz (ca-core), ProfileFuzz RequestFuzz (ca-api), and
# AddressBeforeItsLength, a planted bug that must be found. What is found lies in target/fuzz/TARGET; the corpus stays there
# for the next run. Exit code 77 is a find. Maven runs on the JDK in JAVA_HOME, as everywhere.
set -euo pipefail
cd "$(dirname "$0")/../.."

bad_usage() { printf 'fuzz.sh: %s (fuzz.sh TARGET [SECONDS])\n' "$*" >&2; exit 2; }
[ $# -ge 1 ] && [ $# -le 2 ] || bad_usage "takes a target and at most a number of seconds"
readonly TARGET="$1"
readonly SECONDS_MAX="${2:-60}"
[[ "$SECONDS_MAX" =~ ^[1-9][0-9]{0,5}$ ]] || bad_usage "SECONDS is a number from 1 to 999999, not '$SECONDS_MAX'"
# An input of 16 KB is longer than what any tool sends, and mutations of it still run by the thousand.
readonly LENGTH_MAX=16384
# A request takes 0.1 ms, so seconds are an attack; but the first input also waits until its classes
# are instrumented, which took more than twenty on a busy machine of two cores.
readonly INPUT_SECONDS_MAX=60

case "$TARGET" in
  CsrFuzz | SignedCsrFuzz | TextFuzz | JwsFuzz) MODULE=ca-core CLASS="org.sluiceca.core.fuzz.$TARGET" ;;
  AddressBeforeItsLength) MODULE=ca-core CLASS="org.sluiceca.mutant.fuzz.$TARGET" ;;
  ProfileFuzz) MODULE=ca-api CLASS="org.sluiceca.api.profile.$TARGET" ;;
  RequestFuzz) MODULE=ca-api CLASS="org.sluiceca.api.enrollment.$TARGET" ;;
  *) bad_usage "no target '$TARGET'" ;;
esac

./mvnw -q -pl "$MODULE" -am -Pfuzz test-compile dependency:build-classpath \
  -Dmdep.outputFile=target/fuzz-classpath -Dmdep.includeScope=test
readonly WORK="target/fuzz/$TARGET"
mkdir -p "$WORK/corpus" "$WORK/finds"
CLASSPATH="$MODULE/target/classes:$MODULE/target/test-classes:$(cat "$MODULE/target/fuzz-classpath")"
export CLASSPATH
case "$TARGET" in
  ProfileFuzz) mkdir -p "$WORK/seeds" && cp ca-api/src/main/resources/profiles/*.yaml "$WORK/seeds" ;;
  RequestFuzz) "$JAVA_HOME/bin/java" org.sluiceca.api.enrollment.RequestFuzzTest "$WORK/seeds" ;;
  *) "$JAVA_HOME/bin/java" org.sluiceca.core.fuzz.Seeds "$TARGET" "$WORK/seeds" ;;
esac
exec "$JAVA_HOME/bin/java" -Xmx1g com.code_intelligence.jazzer.Jazzer --target_class="$CLASS" \
  --instrumentation_includes='org.sluiceca.**:org.bouncycastle.asn1.**:tools.jackson.core.**' \
  --reproducer_path="$WORK/finds" -artifact_prefix="$WORK/finds/" \
  -max_total_time="$SECONDS_MAX" -timeout="$INPUT_SECONDS_MAX" -max_len="$LENGTH_MAX" \
  -print_final_stats=1 "$WORK/corpus" "$WORK/seeds"
