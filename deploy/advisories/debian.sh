#!/usr/bin/env bash
# Which packages of an image are older than those of Debian's security archive?
#
#   debian.sh PACKAGES [SUITE [ARCHIVE [KEYRING]]]
#
# SUITE is bookworm, ARCHIVE http://deb.debian.org/debian-security, KEYRING that of the package debian-archive-keyring if they are left
# out. PACKAGES is what `./sluice vm build` writes, or `dpkg-query -W -f '${Package} ${Version} ${Architecture}\n'` in a container; - is
# standard input. apt fetches the archive's lists and checks their signature and date. Exit codes: 0 none is older, 1 at least one,
# 2 nothing was judged: no archive, no signature, no packages. What has no fixed version in the archive yet is not found.
set -euo pipefail
export LC_ALL=C

stop() { printf 'debian: %s\n' "$*" >&2; exit 2; }

# fetch SUITE ARCHIVE KEYRING FOLDER: FOLDER/candidates has what apt has taken for genuine, of lists of its own and not the machine's.
fetch() {
  local suite="$1" archive="$2" key="$3" candidates="$4/candidates" root="$4/apt"
  command -v apt-get >/dev/null || stop "no apt here"
  [ -r "$key" ] || stop "no keys of the archive: $key (debian-archive-keyring)"
  mkdir -p "$root"/{lists/partial,cache/archives/partial,empty}
  : >"$root/status"
  printf 'deb [arch=amd64 signed-by=%s] %s %s-security main\n' "$key" "$archive" "$suite" >"$root/sources"
  # Without the mode apt takes old lists, or none, for a success. A machine may have switched off the checks for itself. It fetches as a
  # user that cannot read a folder of ours.
  apt-get -q -o APT::Update::Error-Mode=any -o Acquire::Check-Valid-Until=true -o Acquire::Check-Date=true \
    -o Acquire::AllowInsecureRepositories=false -o Acquire::AllowWeakRepositories=false -o Acquire::Retries=1 -o Acquire::http::Timeout=30 -o APT::Sandbox::User=root \
    -o APT::Architecture=amd64 -o APT::Architectures::=amd64 -o Acquire::Languages=none -o Acquire::GzipIndexes=false \
    -o Dir::Etc::sourcelist="$root/sources" -o Dir::Etc::sourceparts="$root/empty" -o Dir::State="$root" -o Dir::State::lists="$root/lists" \
    -o Dir::State::status="$root/status" -o Dir::Cache="$root/cache" update >"$root/log" 2>&1 ||
    stop "$archive gave no lists of $suite-security that can be trusted: $(grep -m 1 -E '^[EW]:' "$root/log" || tail -n 1 "$root/log")"
  cat "$root"/lists/*_Packages >"$candidates" 2>/dev/null || true
  [ -s "$candidates" ] || stop "$archive has no packages of $suite-security"
}

main() {
  local packages="${1:-}" suite="${2:-bookworm}" archive="${3:-http://deb.debian.org/debian-security}" work name version older=0 known=0 all=0
  if [ -z "$packages" ] || [ $# -gt 4 ]; then stop "usage: debian.sh PACKAGES [SUITE [ARCHIVE [KEYRING]]]"; fi
  work="$(mktemp -d)"
  # shellcheck disable=SC2064 # now
  trap "rm -rf '$work'" EXIT
  cat -- "$packages" >"$work/packages" || stop "cannot read $packages"
  grep -qE '^[a-z0-9][a-z0-9.+:-]+ [0-9]' "$work/packages" || stop "$packages names no packages"
  fetch "$suite" "$archive" "${4:-/usr/share/keyrings/debian-archive-keyring.gpg}" "$work"
  declare -A CANDIDATE=()
  # Of two architectures' and two versions the later one.
  while read -r name version; do
    [ -n "${CANDIDATE[$name]:-}" ] && dpkg --compare-versions "$version" le "${CANDIDATE[$name]}" || CANDIDATE[$name]="$version"
  done < <(awk '/^Package: / { name = $2 } /^Version: / { print name, $2 }' "$work/candidates")
  while read -r name version _ || [ -n "$name" ]; do
    [ -n "$version" ] || stop "$packages names no version of $name"
    all=$((all + 1))
    name="${name%%:*}"
    [ -n "${CANDIDATE[$name]:-}" ] || continue
    known=$((known + 1))
    dpkg --compare-versions "$version" lt "${CANDIDATE[$name]}" || continue
    older=$((older + 1))
    printf 'debian: %s %s is older than %s of %s-security\n' "$name" "$version" "${CANDIDATE[$name]}" "$suite" >&2
  done <"$work/packages"
  printf '%d packages, %d of them in %s-security: %d are older\n' "$all" "$known" "$suite" "$older"
  [ "$known" -gt 0 ] || stop "no package of $packages is in $suite-security: is it the image's suite?"
  [ "$older" -eq 0 ]
}

main "$@"
