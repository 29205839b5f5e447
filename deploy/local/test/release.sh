#!/usr/bin/env bash
# Tests of what judges a release, on jars of one library: `./sluice release check` itself builds for minutes. Each test is a
# function test_what_condition_result; `release.sh PATTERN` runs those whose names match.
set -uo pipefail

SLUICE_ROOT="$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../../..")"
PATTERN="${1:-.}"
WORK="$(mktemp -d)"
trap 'rm -rf "$WORK"' EXIT
trap 'exit 1' INT TERM
PASSED=0
FAILED=0

fail() { printf '    %s\n' "$*" >&2; return 1; }

# judges CODE WORDS FUNCTION ARGUMENTS…: one of the launcher's own functions ends so, and says so.
judges() {
  local expected="$1" words="$2" status=0
  shift 2
  SLUICE_ROOT="$SLUICE_ROOT" RELEASE_WORK="$WORK" bash -c '
    set -euo pipefail
    for part in common options process prerequisites build runtime package release; do
      source "$SLUICE_ROOT/deploy/local/$part.sh"
    done
    "$@"' judge "$@" >"$WORK/said" 2>&1 || status=$?
  [ "$status" -eq "$expected" ] || fail "exit $status, not $expected: $* ($(tail -n 2 "$WORK/said"))" || return 1
  [ -z "$words" ] || grep -qF -- "$words" "$WORK/said" || fail "does not say '$words': $(head -n 3 "$WORK/said")"
}

# A jar of one library, and the SBOM that names it.
make_release() {
  local library="$1/BOOT-INF/lib/a-1.jar"
  mkdir -p "$1/BOOT-INF/lib" && printf 'a library\n' >"$library" &&
    printf 'not listed\n' >"$1/BOOT-INF/lib/spring-boot-jarmode-tools-1.jar" && pack "$1" &&
    printf '"purl" : "pkg:maven/org.a/%s@1"\n' ca-api spring-boot-starter-b a >"$1/ca-api.cdx.json" &&
    printf '"%s"\n' "$(sha256sum <"$library" | cut -c 1-64)" >>"$1/ca-api.cdx.json" &&
    printf 'Apache-2.0\n' | tee "$1/licences.txt" >"$1/sluice-client.licences.txt" && make_client "$1"
}

# The client: one jar of two libraries, and the SBOM that has both.
make_client() {
  local tree="$1/client"
  mkdir -p "$tree"/META-INF/maven/org.b/{b,within} "$tree/org/b" "$tree/picocli" && : >"$tree/org/b/B.class" && : >"$tree/picocli/P.class" &&
    printf 'groupId=org.b\nartifactId=b\nversion=2\n' >"$tree/META-INF/maven/org.b/b/pom.properties" &&
    printf 'groupId=com.google.code.gson\nartifactId=gson\nversion=1\n' >"$tree/META-INF/maven/org.b/within/pom.properties" &&
    printf '      "purl" : "pkg:maven/%s?type=jar",\n' org.b/b@2 info.picocli/picocli@4 >"$1/sluice-client.cdx.json" && pack_client "$1"
}

pack_client() { "$JAVA_HOME/bin/jar" --create --date 2026-01-01T00:00:00Z --file "$1/sluice.jar" -C "$1/client" .; }

pack() { "$JAVA_HOME/bin/jar" --create --date 2026-01-01T00:00:00Z --file "$1/ca-api.jar" -C "$1" BOOT-INF; }

test_compare_same_equal() {
  make_release "$WORK/one" && make_release "$WORK/other" && judges 0 '' release_compare "$WORK/one" "$WORK/other"
}

test_compare_anotherLibrary_named() {
  make_release "$WORK/one" && make_release "$WORK/other" && printf '!' >>"$WORK/other/BOOT-INF/lib/a-1.jar" &&
    pack "$WORK/other" && judges 1 'ca-api.jar differs' release_compare "$WORK/one" "$WORK/other" &&
    judges 1 'other/BOOT-INF/lib/a-1.jar differ' release_compare "$WORK/one" "$WORK/other"
}

test_compare_otherDatesInTheJar_differs() {
  make_release "$WORK/one" && make_release "$WORK/other" &&
    "$JAVA_HOME/bin/jar" --create --date 2026-01-02T00:00:00Z --file "$WORK/other/ca-api.jar" -C "$WORK/other" BOOT-INF &&
    judges 1 'ca-api.jar differs' release_compare "$WORK/one" "$WORK/other"
}

test_compare_anotherLicence_shown() {
  make_release "$WORK/one" && make_release "$WORK/other" && printf 'MIT\n' >"$WORK/other/licences.txt" &&
    judges 1 '> MIT' release_compare "$WORK/one" "$WORK/other"
}

test_listed_all_good() { make_release "$WORK/one" && judges 0 '' release_listed "$WORK/one"; }

test_listed_anotherSum_named() {
  make_release "$WORK/one" && sed -i '$d' "$WORK/one/ca-api.cdx.json" &&
    judges 1 'not in the SBOM: a-1.jar' release_listed "$WORK/one"
}

test_listed_moreThanShipped_counted() {
  make_release "$WORK/one" && printf '"purl" : "pkg:maven/org.a/b@1"\n' >>"$WORK/one/ca-api.cdx.json" &&
    judges 1 'the SBOM has 2 libraries, the jar 1' release_listed "$WORK/one"
}

test_client_allListed_good() { make_release "$WORK/one" && judges 0 '' release_client_listed "$WORK/one"; }

test_client_otherVersionThanListed_named() {
  make_release "$WORK/one" && sed -i 's/b@2/b@1/' "$WORK/one/sluice-client.cdx.json" &&
    judges 1 "in the client's jar, not in its SBOM: org.b/b" release_client_listed "$WORK/one"
}

test_client_classesOfALibraryThatIsNotListed_named() {
  make_release "$WORK/one" && mkdir -p "$WORK/one/client/net/c" && : >"$WORK/one/client/net/c/C.class" && pack_client "$WORK/one" &&
    judges 1 'differ: < net/c' release_client_listed "$WORK/one" || return 1
  rm -r "$WORK/one/client/net" "$WORK/one/client/picocli" && pack_client "$WORK/one" &&
    judges 1 'differ: > info/picocli' release_client_listed "$WORK/one"
}

test_runtime_isAPartOfTheNodesList_andNoLibrary() {
  local version
  make_release "$WORK/one" && version="$(sed -n 's/^JAVA_VERSION="\(.*\)"/\1/p' "$JAVA_HOME/release")" || return 1
  { printf '{\n  "components" : [\n'; sed -n 's/^"purl".*/    { & },/p' "$WORK/one/ca-api.cdx.json"; sed -n 's/^"[0-9a-f]*"$/    { "sum" : & }/p' "$WORK/one/ca-api.cdx.json"; printf '  ]\n}\n'; } |
    sed 's/{ "purl"/{\n"purl"/' >"$WORK/one/list" &&
    mv "$WORK/one/list" "$WORK/one/ca-api.cdx.json" && chmod 644 "$WORK/one/ca-api.cdx.json" && (umask 077 && judges 0 '' runtime_in_sbom "$WORK/one/ca-api.cdx.json") || return 1
  # It is published, and the launcher's mask is for secrets.
  [ "$(stat -c %a "$WORK/one/ca-api.cdx.json")" = 644 ] || fail "the SBOM is not for everyone" || return 1
  [ "$(jq -r '.components[0] | .type + " " + .purl' "$WORK/one/ca-api.cdx.json")" = "platform pkg:generic/openjdk@$version" ] ||
    fail "$(head -n 12 "$WORK/one/ca-api.cdx.json")" || return 1
  judges 0 '' release_listed "$WORK/one" && printf '{}\n' >"$WORK/one/other" && judges 1 'not as expected' runtime_in_sbom "$WORK/one/other"
}

# Of the JDK that the packages' runtime is made of.
test_runtime_withoutLegalNotices_isRefused() {
  local copy="$WORK/one/jre"
  mkdir -p "$copy/legal/java.base" && printf 'JAVA_VERSION="1"\nMODULES="java.base"\n' >"$copy/release" &&
    judges 1 'has no legal notices' runtime_notices "$copy" || return 1
  cp "$JAVA_HOME/legal/java.base/LICENSE" "$copy/legal/java.base/" && judges 0 '' runtime_notices "$copy" &&
    grep -qx 'MODULES="java.base"' "$copy/release" && [ "$(grep '^SOURCE' "$copy/release")" = "$(grep '^SOURCE' "$JAVA_HOME/release")" ] ||
    fail "$(cat "$copy/release")"
}

test_usage_noSuchCommit_exit1() {
  judges 2 'release takes check or build' release_command make && judges 1 'no such commit here: none' release_command check --commit none
}

# --- Run ------------------------------------------------------------------------------------------------

# What finds the launcher's JDK.
find_java() {
  SLUICE_ROOT="$SLUICE_ROOT" bash -c '
    set -euo pipefail
    for part in common options process prerequisites; do
      source "$SLUICE_ROOT/deploy/local/$part.sh"
    done
    find_jdk'
}

JAVA_HOME="$(find_java)" || exit 1
export JAVA_HOME
mapfile -t TESTS < <(grep -oE '^test_[A-Za-z0-9_]+' "${BASH_SOURCE[0]}" | grep -E -- "$PATTERN")
for name in "${TESTS[@]}"; do
  rm -rf "$WORK/one" "$WORK/other"
  if "$name"; then
    PASSED=$((PASSED + 1))
    printf 'ok   %s\n' "${name#test_}"
  else
    FAILED=$((FAILED + 1))
    printf 'FAIL %s\n' "${name#test_}"
  fi
done
printf '%s passed, %s failed\n' "$PASSED" "$FAILED"
[ "$FAILED" -eq 0 ]
