#!/usr/bin/env bash
# Tests of `./sluice test` itself: that nothing which failed, or never ran, passes for good, and that the tools' cache is
# used as it should. Each test is a function test_…; `suite.sh PATTERN` runs those whose names match.
set -uo pipefail

ROOT="$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../../..")"
WORK="$(mktemp -d)"
export LC_ALL=C
trap 'rm -rf "$WORK"' EXIT
trap 'exit 1' INT TERM
SLUICE_ROOT="$WORK/checkout"
# shellcheck source=/dev/null
for part in common tools suite suite-report test/runner; do source "$ROOT/deploy/local/$part.sh"; done

# --- A finished run, and its report ---------------------------------------------------------------------

# A checkout with two test classes that passed.
finished_run() {
  rm -rf "$SLUICE_ROOT"
  mkdir -p "$SUITE_WORK" "$SLUICE_ROOT/deploy/local/test"
  printf '# a comment\nblackbox 100\n' >"$SLUICE_ROOT/deploy/local/test/budget"
  suite_note launcher 3.5 1.25 ok
  suite_note blackbox 20.5 30 ok
  a_class ca-core org.a.OneTest surefire 3 0
  a_class loadtest org.b.TwoIT failsafe 2 0
}

# a_class MODULE CLASS surefire|failsafe TESTS FAILURES
a_class() {
  local source="$SLUICE_ROOT/$1/src/test/java/${2//.//}.java" reports="$SLUICE_ROOT/$1/target/$3-reports"
  mkdir -p "$(dirname "$source")" "$reports"
  printf 'class %s {}\n' "${2##*.}" >"$source"
  printf '<?xml version="1.0"?>\n<testsuite xmlns:xsi="x" name="%s" time="1.5" tests="%s" errors="0" skipped="1" failures="%s">\n' \
    "$2" "$4" "$5" >"$reports/TEST-$2.xml"
}

report() { suite_report "$SUITE_WORK" "$SLUICE_ROOT" "${1:-ci}" 42 >"$WORK/out" 2>"$WORK/err"; }

# fails_for WORDS: the report is a failure, and says why.
fails_for() {
  ! report || fail "it passed" || return 1
  grep -qF -- "$1" "$WORK/err" || fail "does not name '$1': $(cat "$WORK/err")"
}

test_report_allPassed_succeedsWithTimes() {
  finished_run && report || fail "$(cat "$WORK/err")" || return 1
  [ "$(jq -r '"\(.seconds) \(.parts | length) \(.classes | map(.tests) | add) \(.parts[1].budgetSeconds) \(.parts[0].budgetSeconds)"' \
    "$SLUICE_ROOT/target/test-times.json")" = '42 2 5 100 null' ] || fail "$(cat "$SLUICE_ROOT/target/test-times.json")" || return 1
  grep -q 'ci tier in 42 s: 5 tests in 2 classes, 0 failed, 2 skipped' "$WORK/out" || fail "$(cat "$WORK/out")"
}

test_report_partFailed_fails() { finished_run && suite_note wan 1 1 FAILED && fails_for 'part wan'; }

test_report_testFailed_fails() { finished_run && a_class ca-api org.c.ThreeTest surefire 7 2 && fails_for '2 of 7 tests in org.c.ThreeTest'; }

test_report_classWithoutReport_fails() {
  finished_run && rm "$SLUICE_ROOT"/loadtest/target/failsafe-reports/*.xml && fails_for 'no report of org.b.TwoIT'
}

test_report_nightlyClass_isMissedByTheNightlyTierAlone() {
  finished_run && a_class ca-api org.c.LongTest surefire 1 0 && rm "$SLUICE_ROOT"/ca-api/target/surefire-reports/*.xml &&
    printf '@Tag("nightly")\nclass LongTest {}\n' >"$SLUICE_ROOT/ca-api/src/test/java/org/c/LongTest.java" &&
    report || fail "$(cat "$WORK/err")" || return 1
  ! report nightly || fail "the nightly tier passed without it"
}

test_report_overBudget_warnsOnly() {
  finished_run && suite_note blackbox 151 1 ok && report || fail "$(cat "$WORK/err")" || return 1
  grep -q 'warning: part blackbox took 151 s' "$WORK/err" || fail "no warning" || return 1
  finished_run && suite_note blackbox 149 1 ok && report && ! grep -q warning "$WORK/err" || fail "a warning below the limit" || return 1
  finished_run && suite_note blackbox 900 1 ok && report nightly && ! grep -q warning "$WORK/err" || fail "a warning about another tier"
}

# --- Parts ----------------------------------------------------------------------------------------------

test_part_resultOutputAndTime_areKept() {
  finished_run
  suite_part good echo said >"$WORK/out" 2>&1 && suite_part bad false >>"$WORK/out" 2>&1 && suite_part dies die "last words" >>"$WORK/out" 2>&1
  SUITE_SHOWN=yes suite_part shown false >>"$WORK/out" 2>&1
  suite_passed good || fail "good is not passed" || return 1
  local part
  for part in bad dies shown; do
    ! suite_passed "$part" || fail "$part is passed" || return 1
  done
  grep -q said "$WORK/out" && grep -q said "$SUITE_WORK/good.log" && grep -q 'last words' "$WORK/out" || fail "$(cat "$WORK/out")"
}

test_part_processorTime_isThatOfWhatItStarted() {
  finished_run
  suite_part busy bash -c 'bash -c "for ((i = 0; i < 300000; i++)); do :; done"' >/dev/null 2>&1
  awk -F '\t' '$1 == "busy" && $3 > 0 { busy = 1 } END { exit !busy }' "$SUITE_WORK/parts.tsv" || fail "$(cat "$SUITE_WORK/parts.tsv")"
}

test_interrupted_everyProcessOfAPartEnds() {
  finished_run
  local sleeper tries=0
  (
    suite_begin suite_part long bash -c 'sleep 600 & echo $! >"'"$WORK"'/sleeper"; wait'
    trap suite_interrupted INT TERM
    suite_await
  ) >/dev/null 2>&1 &
  until [ -s "$WORK/sleeper" ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 600 ] || { fail "the part did not start"; return 1; }
    sleep 0.1
  done
  sleeper="$(cat "$WORK/sleeper")"
  kill -s TERM "$!" && ! wait "$!" || fail "it did not fail" || return 1
  tries=0
  while [ -d "/proc/$sleeper" ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 600 ] || { kill "$sleeper"; fail "what the part had started lives"; return 1; }
    sleep 0.1
  done
}

# --- Tools ----------------------------------------------------------------------------------------------

# A tool that is made of nothing; each making is written down.
with_tool() {
  rm -rf "$SLUICE_ROOT" "$WORK/cache" "$WORK/made"
  export XDG_CACHE_HOME="$WORK/cache"
  tool_versions() { printf 'thing %s\n' "${THING:-1}"; }
  install_thing() { echo made >>"$WORK/made"; mkdir bin; [ -z "${THING_FAILS:-}" ]; }
}

makings() { wc -l <"$WORK/made"; }

test_tool_secondCheckout_takesItFromTheCache() {
  (
    with_tool && tool thing && [ -d "$TOOLS/thing/bin" ] && rm -rf "$SLUICE_ROOT" && tool thing &&
      [ -d "$TOOLS/thing/bin" ] && [ "$(makings)" -eq 1 ] || fail "made $(makings) times"
  )
}

test_tool_otherVersion_isMadeBeside() {
  (
    with_tool && tool thing && THING=2 && tool thing && [ "$(makings)" -eq 2 ] &&
      [ "$(find "$WORK/cache/sluice/tools" -maxdepth 1 -name 'thing-*' | wc -l)" -eq 2 ] || fail "made $(makings) times"
  )
}

test_tool_failedOrCutShort_isNoTool() {
  (
    with_tool && THING_FAILS=yes
    ! tool thing || fail "a failed installation passed" || exit 1
    THING_FAILS='' && tool thing && rm "$TOOLS/thing/.whole" && tool thing && [ "$(makings)" -eq 3 ] || fail "made $(makings) times"
  )
}

test_tool_unusedForLong_isRemoved() {
  (
    with_tool && tool thing && touch -d '100 days ago' "$TOOLS/thing/.whole" && THING=2 && tool thing &&
      [ "$(find "$WORK/cache/sluice/tools" -maxdepth 1 -name 'thing-*' | wc -l)" -eq 1 ] || fail "$(ls "$WORK/cache/sluice/tools")"
  )
}

test_installTools_nightlyOneMissing_nightlyTierFailsAndCiDoesNotMakeIt() {
  (
    with_tool && only_nightly() { true; }
    install_tools && [ ! -e "$WORK/made" ] || fail "the CI tier made it" || exit 1
    SUITE_TIER=nightly
    install_tools && [ "$(makings)" -eq 1 ] || fail "the nightly tier did not make it" || exit 1
    THING=2 THING_FAILS=yes
    ! install_tools 2>/dev/null || fail "it passed without the tool"
  )
}

test_installTools_otherMissing_isAWarning() {
  (
    with_tool && SUITE_TIER=nightly THING_FAILS=yes
    install_tools 2>"$WORK/err" || fail "it failed" || exit 1
    grep -q "warning: no thing 1" "$WORK/err" || fail "$(cat "$WORK/err")"
  )
}

# Packages of Debian that have a cargo of version $1; it makes a program of a line.
debian_has_cargo() {
  DEBIAN_CARGO="$1"
  rm -rf "$SLUICE_ROOT" "$WORK/cache" "$WORK/asked"
  export XDG_CACHE_HOME="$WORK/cache"
  tool_versions() { printf 'instant-acme 1\n'; }
  # As rustup's command where its home is another one.
  mkdir -p "$WORK/rustup" && printf '#!/bin/sh\nexit 1\n' >"$WORK/rustup/cargo" && chmod +x "$WORK/rustup/cargo"
  PATH="$WORK/rustup:$PATH"
  # One that this machine has must not make it.
  eval "any_$(declare -f has_cargo)"
  has_cargo() { [ "$(command -v cargo)" != /usr/bin/cargo ] && any_has_cargo; }
  debian_unpack() {
    echo "$1" >>"$WORK/asked"
    mkdir -p "$2/usr/bin"
    # shellcheck disable=SC2016 # expanded when it runs
    printf '#!/bin/sh\n[ "$1" = install ] || { echo cargo %s; exit; }\nmkdir -p bin && echo made >bin/instant-acme-life\n' \
      "$DEBIAN_CARGO" >"$2/usr/bin/cargo" && chmod +x "$2/usr/bin/cargo"
  }
}

test_instantAcme_cargoFindsNoCompiler_debiansIsUnpackedAndGoesAgain() {
  (
    debian_has_cargo 1.85.0 && tool instant-acme && [ "$(cat "$TOOLS/bin/instant-acme-life")" = made ] &&
      [ ! -e "$TOOLS/instant-acme/rust" ] && [ "$(cat "$WORK/asked")" = cargo-web ] ||
      fail "$(cat "$(tool_log instant-acme)")"
  )
}

# An operator reads in one line which test does not run.
test_instantAcme_noCargoAtAll_warningNamesTheTestThatIsSkipped() {
  (
    debian_has_cargo 1.84.9
    install_tools 2>"$WORK/err" || fail "it failed" || exit 1
    [ "$(xargs <"$WORK/asked")" = 'cargo-web cargo' ] || fail "asked for $(xargs <"$WORK/asked")" || exit 1
    grep -q 'warning: no instant-acme 1: no cargo 1.85 or later .* AcmeClientsIT.instantAcme_wholeLife is skipped' "$WORK/err" ||
      fail "$(cat "$WORK/err")" || exit 1
    grep -q 'void instantAcme_wholeLife()' "$ROOT/loadtest/src/test/java/org/sluiceca/blackbox/AcmeClientsIT.java" ||
      fail "there is no such test"
  )
}

run_tests "${1:-.}"
