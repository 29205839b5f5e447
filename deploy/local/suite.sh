# shellcheck shell=bash
# `test`: everything that protects a promise, as continuous integration runs it; with --nightly also what takes long.
# docs/TESTING.md describes the tiers. Each part's output, time and result are kept in target/suite.

readonly SUITE_WORK="$SLUICE_ROOT/target/suite"
# Not the rates and times, which want a calm machine: `make -C loadtest/nethsm check` has those too.
readonly NETHSM_TESTS='test_(sign|initialize|queue|kill|fault|sessions|configuration|tool|planted_placeOf|planted_dead|planted_waits)'
# What no CI run has: the whole matrix of the window controllers and the tests tagged `nightly`.
readonly NIGHTLY_MAVEN=(-Dtests.excluded=none -Dmatrix=full)
readonly FUZZ_SECONDS=60

SUITE_TIER=ci
# The process groups of the parts that run.
declare -a SUITE_RUNNING=()

suite() {
  if [ "${1:-}" = --nightly ]; then
    SUITE_TIER=nightly
    shift
  fi
  local started=$SECONDS failed='' word
  # Options of Maven begin with one dash.
  for word in "$@"; do
    [[ "$word" == -[!-]* ]] || bad_usage "test takes --nightly first and then options of Maven such as -Dit.test=FindIT, not '$word'"
  done
  rm -rf "$SUITE_WORK"
  (umask 022 && mkdir -p "$SUITE_WORK")
  trap suite_interrupted INT TERM
  SUITE_PART_STARTED=$EPOCHREALTIME
  prerequisites_to_test
  suite_note packages "$(suite_seconds_since "$SUITE_PART_STARTED")" 0 ok
  export PATH="$TOOLS/bin:$TOOLS/pkilint/bin:$TOOLS/http/bin:$PATH"

  # Downloads and a build wait for different things.
  suite_begin suite_part tools install_tools
  # Before the tests that start nodes: a launcher inside Maven should find nothing to build.
  suite_begin suite_part build suite_build
  suite_await
  suite_passed build || die "the build failed: nothing was tested"

  suite_begin suite_scripts
  suite_begin suite_java "$@"
  suite_await
  [ "$SUITE_TIER" = ci ] || { suite_begin suite_nightly; suite_await; }

  trap - INT TERM
  suite_report "$SUITE_WORK" "$SLUICE_ROOT" "$SUITE_TIER" $((SECONDS - started)) || failed=yes
  [ -z "$failed" ] || exit 1
  say "all tests passed"
}

suite_build() {
  fetch_postgres
  build
  # Before the tests that start nodes, too: the first of them would wait for it. Its way is tested, not its speed.
  DATA="$SUITE_WORK" SLUICE_TRAINING_SECONDS="${SLUICE_TRAINING_SECONDS:-2}" train_nodes
  [ -s "$DIST/ca-api.aot" ] || die "the start-up cache was not trained"
  # Maven's tests write these again while others are packed.
  mkdir -p "$SUITE_WORK/built"
  cp "$SLUICE_ROOT"/ca-api/target/ca-api.jar "$SLUICE_ROOT"/ca-api/client/target/sluice.jar "$SUITE_WORK/built/"
}

# Tests written in bash, one after another, in addition to Maven's.
suite_scripts() {
  local here="$SLUICE_ROOT/deploy"
  suite_part launcher "$here/local/test/run.sh"
  suite_part suite "$here/local/test/suite.sh"
  suite_part migrations "$here/local/test/upgrade.sh" '^test_migration'
  suite_part release "$here/local/test/release.sh"
  suite_part release-packages env PACKAGE_BUILT="$SUITE_WORK/built" "$here/local/test/package.sh"
  suite_part advisories "$here/advisories/test/run.sh"
  suite_part nethsm suite_nethsm
  suite_part wan "$SLUICE_ROOT/loadtest/wan/test/run.sh"
  suite_part machine-template "$here/vm-template/test/run.sh"
  suite_part hyperv "$here/hyperv/test/run.sh"
  suite_part kubernetes "$here/kubernetes/test/run.sh"
  suite_part containers "$here/compose/test/run.sh"
  suite_part alerts "$here/alerts/test/run.sh"
  suite_part console "$here/console/test/run.sh"
}

suite_nethsm() { make -s -C "$SLUICE_ROOT/loadtest/nethsm" && "$SLUICE_ROOT/loadtest/nethsm/test/run.sh" "$NETHSM_TESTS"; }

# The modules are built two at a time. The nodes of the black-box tests run from what suite_build has made.
suite_java() {
  suite_maven modules -T2 -pl ca-core,hsm-adapter,ca-api,ca-api/client,loadtest/house "$@"
  suite_maven blackbox -T1 -pl loadtest,loadtest/gatling "$@"
}

# suite_maven PART -T… -pl MODULES ARGUMENTS…: every module is tested, also after a failure in another: whether all passed
# is read from the reports.
suite_maven() {
  local part="$1" modules="$4" tier=(-Dtests.excluded=nightly) module
  shift
  [ "$SUITE_TIER" = ci ] || tier=("${NIGHTLY_MAVEN[@]}")
  for module in ${modules//,/ }; do
    rm -rf "$SLUICE_ROOT/$module"/target/{surefire,failsafe}-reports
  done
  SUITE_SHOWN=yes suite_part "$part" maven_here -B -ntp verify -Pit -fae -Dmaven.test.failure.ignore=true "${tier[@]}" "$@"
}

# What takes long and is no part of Maven's tests.
suite_nightly() {
  local here="$SLUICE_ROOT/deploy" target
  suite_part upgrade "$here/local/test/upgrade.sh" '^test_(previous|ours)'
  suite_part package-upgrade env PACKAGE_BUILT="$SUITE_WORK/built" "$here/local/test/package.sh" --nightly
  suite_part release-packages-13 env PACKAGE_BUILT="$SUITE_WORK/built" PACKAGE_DEBIAN=13 "$here/local/test/package.sh" '^test_deb_'
  suite_part release-twice suite_release check
  suite_part release-build suite_release build
  suite_part containers-engine "$here/compose/test/run.sh" --engine
  suite_part openapi-clients "$here/openapi/test/run.sh"
  for target in CsrFuzz SignedCsrFuzz TextFuzz JwsFuzz ProfileFuzz RequestFuzz; do
    suite_part "fuzz-$target" "$here/local/fuzz.sh" "$target" "$FUZZ_SECONDS"
  done
  suite_part pit "$here/local/pit.sh"
  suite_part ratios "$SLUICE_ROOT/sluice" bench ratios
  suite_part image suite_image
  suite_part image-packages suite_image_packages
  suite_part package-systemd env PACKAGE_BUILT="$SUITE_WORK/built" "$here/vm-template/test/systemd.sh"
}

suite_image() {
  "$SLUICE_ROOT/sluice" vm build --out "$SUITE_WORK/image" && "$SLUICE_ROOT/sluice" vm baseline --out "$SUITE_WORK/image"
}

# Of the image that was built just now: Debian's part may come from --cache, which is kept.
suite_image_packages() {
  "$SLUICE_ROOT/deploy/advisories/debian.sh" "$SUITE_WORK/image/packages" "$(sed -n 's/^source: deb [^ ]* \([a-z]*\)-security main$/\1/p' "$SUITE_WORK/image/manifest")" ||
    { say "the image's packages: if they are older, empty var/vm-cache and build again"; return 1; }
}

# What is committed, not what lies about: a tree that is no clone has nothing to release.
suite_release() {
  git -C "$SLUICE_ROOT" rev-parse --verify --quiet HEAD >/dev/null 2>&1 || { say "no git history here: no release is built"; return 1; }
  release_command "$1" --out "$SUITE_WORK/$1"
}

# --- Parts --------------------------------------------------------------------------------------------

# suite_part NAME COMMAND…: runs it; its output goes to NAME.log and, when it has ended (or at once with SUITE_SHOWN),
# to ours. Always succeeds: its result is in parts.tsv.
suite_part() {
  local name="$1" log="$SUITE_WORK/$1.log" started=$EPOCHREALTIME result=ok
  shift
  say "$name: started"
  if [ -n "${SUITE_SHOWN:-}" ]; then
    suite_measured "$name" "$@" 2>&1 | tee "$log"
    [ "${PIPESTATUS[0]}" -eq 0 ] || result=FAILED
  else
    suite_measured "$name" "$@" >"$log" 2>&1 || result=FAILED
    cat "$log"
  fi
  suite_note "$name" "$(suite_seconds_since "$started")" "$(cat "$SUITE_WORK/$name.cpu" 2>/dev/null)" "$result"
  say "$name: $result after $(suite_seconds_since "$started") s"
}

# In a process of its own, which may end itself; writes the processor time of all that it has waited for.
suite_measured() {
  local name="$1"
  shift
  (
    trap - INT TERM
    status=0
    ("$@") </dev/null || status=$?
    # Not through a pipe: a process of its own would have waited for nothing.
    times >"$SUITE_WORK/$name.times"
    awk 'END { gsub("[ms]", " "); printf "%.1f", $1 * 60 + $2 + $3 * 60 + $4 }' "$SUITE_WORK/$name.times" >"$SUITE_WORK/$name.cpu"
    exit "$status"
  )
}

# One line a part, in one write.
suite_note() { printf '%s\t%s\t%s\t%s\n' "$1" "$2" "${3:-0}" "$4" >>"$SUITE_WORK/parts.tsv"; }

suite_passed() { awk -F '\t' -v name="$1" '$1 == name && $4 == "ok" { ok = 1 } END { exit !ok }' "$SUITE_WORK/parts.tsv"; }

suite_seconds_since() { awk -v a="$1" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }'; }

# suite_begin COMMAND…: in the background, as a process group of its own, so that one signal ends all of it.
suite_begin() {
  set -m
  { set +m; "$@"; } &
  SUITE_RUNNING+=("$!")
  set +m
}

suite_await() {
  local group
  for group in "${SUITE_RUNNING[@]}"; do
    wait "$group" || true
  done
  SUITE_RUNNING=()
}

suite_interrupted() {
  local group
  trap '' INT TERM
  for group in "${SUITE_RUNNING[@]}"; do
    kill -s TERM -- "-$group" 2>/dev/null || true
  done
  suite_await
  die "interrupted"
}
