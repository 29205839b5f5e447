# shellcheck shell=bash
# Tests of `vm baseline` without an image, for run.sh: options, and what it makes of a report of lynis.

test_baseline_badValues_exit2() {
  local bad status
  for bad in two --out= --out '--data x' '--plant x' '--plant open-account two'; do
    status=0
    # shellcheck disable=SC2086 # words
    "$SLUICE" vm baseline $bad >"$WORK/out" 2>&1 || status=$?
    [ "$status" -eq 2 ] || fail "exit $status, not 2: vm baseline $bad" || return 1
  done
}

test_baseline_noImage_saysSo() {
  mkdir -p "$WORK/empty"
  ! "$SLUICE" vm baseline --out "$WORK/empty" >"$WORK/out" 2>&1 || fail "judged nothing" || return 1
  grep -q 'no image in .*/empty (sluice.qcow2 is missing)' "$WORK/out" || fail "$(cat "$WORK/out")"
}

# The lines of a report of lynis 3.0.8, and two accepted findings.
baseline_report() {
  mkdir -p "$WORK/baseline"
  printf '%s\n' lynis_version=3.0.8 'suggestion[]=AUTH-1|Set a thing|-|-|' 'suggestion[]=FILE-6310|Place it|/home|text:x|' \
    hardening_index=71 'tests_skipped=A|B|' lynis_tests_done=199 finish=true >"$WORK/baseline/dat"
  printf '%s\n' '# why' '' 'suggestion AUTH-1' 'suggestion FILE-6310' >"$WORK/baseline/accepted"
}

# A function of the command, in a shell that fails as the launcher's does.
baseline() {
  WORK="$WORK" TEMPLATE="$TEMPLATE" bash -c '
    set -euo pipefail
    for part in local/common vm-template/image vm-template/baseline; do source "$TEMPLATE/../$part.sh"; done
    SLUICE_ROOT="$TEMPLATE/../.."
    eval "$1"' - "$1" >"$WORK/out" 2>&1
}

# shellcheck disable=SC2016 # the inner shell's own variables
reports() { baseline 'vm_baseline_report "$WORK/baseline/dat" "$WORK/baseline/accepted" "$WORK/baseline/text"'; }

test_baseline_acceptedFindings_areReported() {
  baseline_report
  reports || fail "refused: $(cat "$WORK/out")" || return 1
  [ "$(cat "$WORK/baseline/text")" = 'lynis: 3.0.8
tests: 199
hardening-index: 71
warnings: 0
suggestions: 2
suggestion AUTH-1 Set a thing
suggestion FILE-6310 Place it (/home)' ] || fail "$(cat "$WORK/baseline/text")"
}

# What is accepted as a suggestion is not accepted as a warning.
test_planted_warning_fails() {
  baseline_report
  sed -i '1 a warning[]=AUTH-1|Found accounts without password|-|-|' "$WORK/baseline/dat"
  ! reports || fail "accepted" || return 1
  grep -qx 'NOT ACCEPTED warning AUTH-1 Found accounts without password' "$WORK/baseline/text" || fail "$(cat "$WORK/baseline/text")" || return 1
  grep -q '1 finding(s) that lynis-accepted does not name' "$WORK/out" || fail "$(cat "$WORK/out")"
}

test_planted_reportCutShort_fails() {
  local line
  for line in finish hardening_index; do
    baseline_report
    sed -i "/^$line=/d" "$WORK/baseline/dat"
    ! reports || fail "accepted without $line" || return 1
    grep -q 'did not come to its end' "$WORK/out" || fail "$(cat "$WORK/out")" || return 1
  done
}

test_baseline_acceptedFindings_haveAReasonInTheGuide() {
  local kind id
  while read -r kind id _; do
    case "$kind" in '' | '#'*) continue ;; esac
    grep -q "^|.*$id" "$TEMPLATE/../../docs/HARDENING.md" || fail "docs/HARDENING.md does not tell why $id is left" || return 1
  done <"$TEMPLATE/lynis-accepted"
}
