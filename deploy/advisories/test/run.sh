#!/usr/bin/env bash
# Tests the check for known vulnerabilities on planted lists, then runs it on the distribution built here. It needs a built
# distribution (`./sluice up` or `./sluice test` makes one), or SLUICE_DIST names one. `run.sh PATTERN` runs some of it.
set -uo pipefail

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)"
PATTERN="${1:-.}"
WORK="$(mktemp -d)"
trap 'rm -rf "$WORK"' EXIT
PASSED=0 FAILED=0

# gate LIST LIBRARIES: sets STATUS; output in $WORK/out and $WORK/err.
gate() {
  STATUS=0
  "${JAVA_HOME:+$JAVA_HOME/bin/}java" "$ROOT/deploy/advisories/Advisories.java" "$@" >"$WORK/out" 2>"$WORK/err" || STATUS=$?
}

fail() { printf '    %s\n' "$*" >&2; return 1; }
expect() { [ "$1" = "$2" ] || fail "'$1' is not '$2': $(cat "$WORK/out" "$WORK/err")"; }

# list LINE…: a list with these rows, verdict and reason after them.
list() {
  printf '# as-of\t2026-01-01\n' >"$WORK/list"
  printf '%b\thttps://example.org/1\n' "$@" >>"$WORK/list"
}

test_version_insideTheRange_fails() {
  mkdir -p "$WORK/lib"
  touch "$WORK/lib/some-server-11.0.24.jar" "$WORK/lib/other-11.0.24.jar"
  local row
  for row in '11.0.0\t11.0.26' '11.0.24\t11.0.25' '11.0.24\t-' '11.0.0-M1\t11.0.24.1' '2\t12'; do
    list "X-1\tsome-server\t$row\taffects\twhy"
    gate "$WORK/list" "$WORK/lib"
    expect "$STATUS" 1 && grep -q 'X-1 affects some-server 11.0.24' "$WORK/err" || return 1
  done
}

test_version_outsideTheRange_passes() {
  mkdir -p "$WORK/out-lib"
  touch "$WORK/out-lib/some-server-11.0.24.jar"
  local row
  for row in '11.0.0\t11.0.24' '11.0.25\t-' '11.0.9\t11.0.10' '1.2\t11.0.24-RC1'; do
    list "X-1\tsome-server\t$row\taffects\twhy"
    gate "$WORK/list" "$WORK/out-lib"
    expect "$STATUS" 0 || return 1
  done
  list 'X-1\tsome-server\t11.0.0\t-\tnot-affected\twhy' 'X-2\tsome\t0\t-\taffects\twhy'
  gate "$WORK/list" "$WORK/out-lib"
  expect "$STATUS" 0
}

test_listOfParts_isReadByItsPurls() {
  printf '{"components":[{"purl" : "pkg:maven/org.example/some-server@11.0.24?type=jar"}]}' >"$WORK/parts.json"
  list 'X-1\tsome-*\t11.0.0\t11.0.26\taffects\twhy'
  gate "$WORK/list" "$WORK/parts.json"
  expect "$STATUS" 1
}

test_list_malformed_exit2() {
  mkdir -p "$WORK/lib2" && touch "$WORK/lib2/a-1.jar"
  list 'X-1\ta\t0\t-\tperhaps\twhy'
  gate "$WORK/list" "$WORK/lib2"
  expect "$STATUS" 2 || return 1
  list 'X-1\ta\t0\t-\taffects\t'
  gate "$WORK/list" "$WORK/lib2"
  expect "$STATUS" 2 || return 1
  printf 'X-1\ta\t0\t-\taffects\twhy\thttps://example.org\n' >"$WORK/list"
  gate "$WORK/list" "$WORK/lib2"
  expect "$STATUS" 2 || return 1
  list 'X-1\ta\t0\t-\tnot-affected\twhy'
  mkdir -p "$WORK/none"
  gate "$WORK/list" "$WORK/none"
  expect "$STATUS" 2
}

# An archive in $WORK/archive, signed by a key of its own, whose newest openssl is 3.0.22-1.
archive() {
  local dist="$WORK/archive/dists/bookworm-security" index
  command -v gpg >/dev/null || fail "no gpg" || return
  rm -rf "$WORK/archive" && mkdir -p "$dist/main/binary-amd64" && mkdir -p -m 700 "$WORK/gpg" || return
  index="$dist/main/binary-amd64/Packages"
  printf 'Package: openssl\nVersion: 3.0.9-1\nArchitecture: amd64\n\nPackage: openssl\nVersion: 3.0.22-1\nArchitecture: amd64\n' >"$index"
  printf 'Suite: bookworm-security\nCodename: bookworm-security\nArchitectures: amd64\nComponents: main\nDate: %s\nValid-Until: %s\nSHA256:\n %s %s main/binary-amd64/Packages\n' \
    "$(date -u -R)" "$(date -u -R -d "${1:-1 day}")" "$(sha256sum <"$index" | cut -c 1-64)" "$(stat -c %s "$index")" >"$dist/Release"
  [ -s "$WORK/key.gpg" ] || { gpg -q --homedir "$WORK/gpg" --batch --passphrase '' --quick-generate-key archive@example.com ed25519 sign &&
    gpg -q --homedir "$WORK/gpg" --export >"$WORK/key.gpg"; } 2>"$WORK/err" || return
  gpg -q --homedir "$WORK/gpg" --batch --clearsign --output "$dist/InRelease" "$dist/Release" && rm "$dist/Release"
}

# debian VERSION [ARCHIVE]: judges an image with that openssl. Sets STATUS.
debian() {
  STATUS=0
  printf 'bash 5.2-1 amd64\nopenssl %s amd64\n' "$1" >"$WORK/packages"
  "$ROOT/deploy/advisories/debian.sh" "$WORK/packages" bookworm "${2:-file:$WORK/archive}" "$WORK/key.gpg" >"$WORK/out" 2>"$WORK/err" || STATUS=$?
}

# The list that `list` makes is of 2026-01-01.
test_list_olderThanAMonthAtARelease_fails() {
  mkdir -p "$WORK/lib3" && touch "$WORK/lib3/a-1.jar"
  list 'X-1\tb\t0\t-\taffects\twhy'
  gate "$WORK/list" "$WORK/lib3" 2026-02-01
  expect "$STATUS" 0 && grep -qx 'the list is of 2026-01-01, 31 days before 2026-02-01' "$WORK/out" || return 1
  gate "$WORK/list" "$WORK/lib3" 2026-02-02
  expect "$STATUS" 1 && grep -q 'the list of 2026-01-01 is older than 31 days' "$WORK/err" || return 1
  gate "$WORK/list" "$WORK/lib3" soon
  expect "$STATUS" 2 || return 1
  sed -i 's/2026-01-01/yesterday/' "$WORK/list"
  gate "$WORK/list" "$WORK/lib3"
  expect "$STATUS" 2
}

test_debian_packageOlderThanTheArchives_fails() {
  archive || return 1
  debian 3.0.9-1
  expect "$STATUS" 1 && grep -qx 'debian: openssl 3.0.9-1 is older than 3.0.22-1 of bookworm-security' "$WORK/err" || return 1
  # As Debian compares, not as text does.
  debian 3.0.22-1~deb12u1
  expect "$STATUS" 1 || return 1
  debian 3.0.22-1
  expect "$STATUS" 0 && grep -qx '2 packages, 1 of them in bookworm-security: 0 are older' "$WORK/out" || return 1
  debian 1:1.0-1
  expect "$STATUS" 0
}

test_debian_archiveThatCannotBeTrustedOrReached_isNoPass() {
  archive || return 1
  debian 3.0.22-1 http://127.0.0.1:1
  expect "$STATUS" 2 && grep -q 'gave no lists' "$WORK/err" || return 1
  printf 'Package: openssl\nVersion: 1\n' >"$WORK/archive/dists/bookworm-security/main/binary-amd64/Packages"
  debian 3.0.22-1
  expect "$STATUS" 2 || return 1
  # An old one may hold back what is newer.
  archive '1 day ago' && debian 3.0.22-1
  expect "$STATUS" 2 || return 1
  archive && sed -i 's/^Suite: .*/Suite: changed/' "$WORK/archive/dists/bookworm-security/InRelease"
  debian 3.0.22-1
  expect "$STATUS" 2 || return 1
  archive && printf '' >"$WORK/packages"
  STATUS=0
  "$ROOT/deploy/advisories/debian.sh" "$WORK/packages" bookworm "file:$WORK/archive" "$WORK/key.gpg" >"$WORK/out" 2>"$WORK/err" || STATUS=$?
  expect "$STATUS" 2
}

test_distribution_hasNoKnownFault() {
  gate "$ROOT/deploy/advisories/advisories.tsv" "${SLUICE_DIST:-$ROOT/ca-api/target/dist}/lib"
  expect "$STATUS" 0 && cat "$WORK/out"
}

for name in $(compgen -A function test_ | grep -E -- "$PATTERN"); do
  if "$name"; then
    PASSED=$((PASSED + 1))
    printf 'ok   %s\n' "$name"
  else
    FAILED=$((FAILED + 1))
    printf 'FAIL %s\n' "$name"
  fi
done
printf '%d passed, %d failed\n' "$PASSED" "$FAILED"
[ "$FAILED" -eq 0 ] && [ "$PASSED" -gt 0 ]
