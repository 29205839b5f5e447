# shellcheck shell=bash
# What the tests written in bash share: each is a function test_…, fails by its status, and says by `skip` that it could
# not run. Sourced.

skip() { SKIPPED_NOW=yes; printf '    skipped: %s\n' "$*"; }
fail() { printf '    %s\n' "$*" >&2; return 1; }

# launcher CODE [ARGUMENTS…]: code with the launcher's own functions, which fails as the launcher does, within a quarter of an
# hour.
launcher() {
  local code="$1"
  shift
  # shellcheck disable=SC2016 # expanded in the inner shell
  SLUICE_ROOT="$SLUICE_ROOT" timeout 900 bash -c '
    set -euo pipefail
    umask 077
    for part in common options process prerequisites build postgres softhsm runtime ceremony nodes training client package release tools; do
      source "$SLUICE_ROOT/deploy/local/$part.sh"
    done
    find_jdk >/dev/null && require_jdk
    code="$1"
    shift
    eval "$code"' launcher "$code" "$@"
}

# run_tests PATTERN: those whose names match. Fails if one does, or if there is none.
run_tests() {
  local name passed=0 failed=0 skipped=0
  for name in $(declare -F | awk '{ print $3 }' | grep '^test_' | grep -E -- "$1"); do
    SKIPPED_NOW=''
    if "$name"; then
      if [ -n "$SKIPPED_NOW" ]; then skipped=$((skipped + 1)); else passed=$((passed + 1)); fi
      printf 'ok  %s\n' "$name"
    else
      failed=$((failed + 1))
      printf 'NOT %s\n' "$name"
    fi
  done
  printf '%s passed, %s failed, %s skipped\n' "$passed" "$failed" "$skipped"
  [ "$failed" -eq 0 ] && [ $((passed + skipped)) -gt 0 ]
}
