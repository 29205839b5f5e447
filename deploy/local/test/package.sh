#!/usr/bin/env bash
# Tests of the packages: made of what the checkout has built, judged by lintian, installed in a clean Debian and used there as
# an operator and a user would, with the database and the token of a trial. Each test is a function test_…; `package.sh PATTERN`
# runs those whose names match. Takes some three minutes; `package.sh --nightly` runs instead, in ten, those of upgrades and of
# the tar archive on a Linux that is no Debian. PACKAGE_BUILT names a folder with ca-api.jar and sluice.jar; PACKAGE_DEBIAN=13
# installs in Debian 13 in place of 12.
set -uo pipefail

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
SLUICE_ROOT="$(readlink -f "$HERE/../../..")"
FILES="$SLUICE_ROOT/deploy/package"
TIER=ci
[ "${1:-}" != --nightly ] || { TIER=nightly; shift; }
PATTERN="${1:-.}"
EXPOSURE_MAX=1.5
# Of the wait for a node.
START_SECONDS=180
# 2026-01-02T03:04:05Z
EPOCH=1767323045
umask 077
export LC_ALL=C
for variable in $(compgen -e | grep -E '^(SLUICE|JDK_JAVA)_' | grep -v '^SLUICE_ROOT$' || true); do
  unset "$variable"
done
WORK="$(mktemp -d)"
# The node's user and PostgreSQL may be others.
chmod 711 "$WORK"
ROOT="$WORK/root"
D="$WORK/data"
NODE_PID=''

finish() {
  [ -z "$NODE_PID" ] || kill -s KILL "$NODE_PID" 2>/dev/null
  [ "$TIER" = ci ] || end_upgrade
  end_database
  rm -rf --one-file-system "$WORK"
}
trap finish EXIT
trap 'exit 1' INT TERM
# shellcheck source=/dev/null
source "$HERE/runner.sh"
# shellcheck source=/dev/null
source "$HERE/package-node.sh"
# shellcheck source=/dev/null
source "$HERE/package-deb.sh"
# shellcheck source=/dev/null
source "$HERE/package-tar.sh"

if [ "$TIER" = nightly ]; then
  # shellcheck source=/dev/null
  source "$HERE/previous.sh"
  # shellcheck source=/dev/null
  source "$HERE/package-upgrade.sh"
  # shellcheck source=/dev/null
  source "$HERE/package-bare.sh"
fi

expect() {
  local expected="$1" status=0
  shift
  "$@" >"$WORK/out" 2>"$WORK/err" </dev/null || status=$?
  [ "$status" -eq "$expected" ] || fail "exit $status, not $expected: $* ($(tail -n 3 "$WORK/err" | tr '\n' ' '))"
}

says() { grep -qF -- "$1" "$WORK/out" "$WORK/err" || fail "does not say '$1': $(tail -n 3 "$WORK/out") $(tail -n 3 "$WORK/err")"; }

await() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < deadline)) || { fail "not in time: $*"; return 1; }
    sleep 0.2
  done
}

# --- The packages -----------------------------------------------------------------------------------------

# Twice: with start-up caches, of a start alone; and without them, in another folder, another zone, by another mask.
make_packages() {
  local built="$WORK/built"
  mkdir -p "$built"
  launcher make_work_directory && { [ -n "${PACKAGE_BUILT:-}" ] || launcher 'require_tools $PACKAGE_TOOLS; build'; } || return 1
  cp "${PACKAGE_BUILT:-$SLUICE_ROOT/ca-api/target}/ca-api.jar" "${PACKAGE_BUILT:-$SLUICE_ROOT/ca-api/client/target}/sluice.jar" "$built" &&
    printf '{"a list": "of a release"}\n' >"$built/ca-api.cdx.json" && printf 'licences of a release\n' >"$built/licences.txt" &&
    printf '{"a list": "of a client"}\n' >"$built/sluice-client.cdx.json" && printf 'licences of a client\n' >"$built/sluice-client.licences.txt" || return 1
  # shellcheck disable=SC2016 # expanded in the inner shell
  local code='PACKAGE_EPOCH="$1" PACKAGE_COMMIT=tested PACKAGE_QUICK=yes PACKAGE_RUNTIMES="$2" PACKAGE_CACHES="$3"
    SLUICE_TRAINING_SECONDS=0; export SLUICE_TRAINING_SECONDS; package_all "$SLUICE_ROOT" "$4" "$5"'
  launcher "$code" "$EPOCH" "$WORK/runtimes" yes "$built" "$WORK/packages" || return 1
  (umask 002 && TZ=Pacific/Auckland launcher "$code" "$EPOCH" "$WORK/runtimes" no "$built" "$WORK/elsewhere/packages of another build")
}

package() { printf '%s\n' "$WORK"/packages/$1; }

unpacked() { mkdir -p "$2" && launcher 'package_unpack "$1" "$2"' "$1" "$2"; }

test_files_areThoseOfTheContract_withTheVersionOfThePom() {
  local version
  version="$(launcher 'package_version "$SLUICE_ROOT/pom.xml"')"
  [ -s "$WORK/packages/sluice-$version-linux-x86_64.tar.gz" ] && [ -s "$WORK/packages/sluice-client-$version.zip" ] &&
    [ "$(ls "$WORK"/packages/sluice_*_amd64.deb | wc -l)" -eq 1 ] && [ "$(ls "$WORK/packages" | wc -l)" -eq 7 ] || fail "$(ls "$WORK/packages")" || return 1
  # A web server is another user than the one who built them.
  [ -z "$(find "$WORK/packages" ! -perm -a=r)" ] || fail "not for all: $(find "$WORK/packages" ! -perm -a=r)"
}

test_version_snapshots_areOlderThanTheirRelease_andOrderedByTheirCommits() {
  local earlier later release
  # shellcheck disable=SC2016 # expanded in the inner shell
  earlier="$(launcher 'PACKAGE_EPOCH="$1"; package_debian_version 0.2.0-SNAPSHOT' "$EPOCH")"
  # shellcheck disable=SC2016 # expanded in the inner shell
  later="$(launcher 'PACKAGE_EPOCH="$1"; package_debian_version 0.2.0-SNAPSHOT' $((EPOCH + 1)))"
  release="$(launcher 'package_debian_version 0.2.0')"
  dpkg --compare-versions 0.1.0 lt "$earlier" && dpkg --compare-versions "$earlier" lt "$later" && dpkg --compare-versions "$later" lt "$release" ||
    fail "0.1.0, $earlier, $later, $release"
}

# What differs between a build with caches and one without, and with it between any two builds, is what is listed here.
test_twoBuilds_differInTheStartUpCachesAlone() {
  local one="$WORK/unpacked/one" other="$WORK/unpacked/other" found
  cmp "$WORK"/packages/sluice-client-*.zip "$WORK"/elsewhere/*/sluice-client-*.zip || fail "the clients differ" || return 1
  unpacked "$(package '*.deb')" "$one" && unpacked "$(echo "$WORK"/elsewhere/*/*.deb)" "$other" || return 1
  found="$(cd "$WORK/unpacked" && diff -rq --no-dereference one other | sed 's/^Files one\///; s/ and other.*//' | sort | paste -sd,)"
  [ "$found" = 'DEBIAN/control,DEBIAN/md5sums,Only in one/usr/lib/sluice: ca-api.aot,Only in one/usr/lib/sluice: sluice.aot' ] || fail "$found" || return 1
  # Modes and dates as well.
  diff <(launcher 'package_entries "$1"' "$one/usr" | grep -v 'aot ') <(launcher 'package_entries "$1"' "$other/usr") || fail "entries differ" || return 1
  # Of folders too, which unpacking changes.
  [ "$(dpkg-deb --contents "$(package '*.deb')" | awk '{ print $2, $4 }' | sort -u)" = 'root/root 2026-01-02' ] || fail "$(dpkg-deb --contents "$(package '*.deb')" | awk '{ print $2, $4 }' | sort | uniq -c)"
}

# small_package FILE DAY: of a file of that day.
small_package() {
  mkdir -p "$WORK/small/DEBIAN" "$WORK/small/usr/share" && : >"$WORK/small/usr/share/file" && chmod -R u=rwX,go=rX "$WORK/small" &&
    printf 'Package: a\nVersion: 1\nArchitecture: all\nMaintainer: A <a@b.c>\nDescription: a\n' >"$WORK/small/DEBIAN/control" &&
    touch -d "$2T00:00:00Z" "$WORK/small/usr/share/file" && dpkg-deb --root-owner-group --build "$WORK/small" "$1" >/dev/null
}

test_planted_anotherFileDateOrPackage_isFound() {
  local folder="$WORK/planted" same="$WORK/planted-same" name
  name="$(basename "$(echo "$WORK"/elsewhere/*/sluice-client-*.zip)")"
  mkdir -p "$folder" "$same" && cp "$WORK"/elsewhere/*/sluice-client-*.zip "$same" && cp "$same/$name" "$folder" || return 1
  expect 0 launcher 'package_compare "$1" "$2"' "$same" "$folder" || return 1
  (cd "$WORK" && mkdir -p more && printf 'more\n' >more/file && zip -q "$folder/$name" more/file)
  expect 1 launcher 'package_compare "$1" "$2"' "$same" "$folder" && says "$name differs" && says 'Only in other: more' || return 1
  rm "$folder/$name"
  expect 1 launcher 'package_compare "$1" "$2"' "$same" "$folder" && says 'in one of the two alone' || return 1
  # The same contents, another day: of a Debian package.
  rm "$same/$name" && small_package "$same/a.deb" 2026-01-01 && small_package "$folder/a.deb" 2026-01-03 &&
    expect 1 launcher 'package_compare "$1" "$2"' "$same" "$folder" && says 'a.deb differs' && says './usr/share/file -rw-r--r-- 2026-01-03'
}

# --- The service and the scripts ----------------------------------------------------------------------------

exposure_of() { systemd-analyze security --offline=true --no-pager "$1" 2>/dev/null | sed -n 's/.*exposure level for [^:]*: \([0-9.]*\).*/\1/p'; }
little_exposed() { awk -v e="$(exposure_of "$1")" -v m="$EXPOSURE_MAX" 'BEGIN { exit !(e != "" && e <= m) }'; }

test_service_exposure_isLow_plantedIsFound() {
  command -v systemd-analyze >/dev/null || { skip "no systemd-analyze"; return 0; }
  printf '    exposure %s\n' "$(exposure_of "$FILES/sluice.service")"
  little_exposed "$FILES/sluice.service" || fail "exposure $(exposure_of "$FILES/sluice.service")" || return 1
  little_exposed "$FILES/sluice-migrate.service" || fail "exposure of the migration $(exposure_of "$FILES/sluice-migrate.service")" || return 1
  mkdir -p "$WORK/exposed" && sed '/^SystemCallFilter\|^CapabilityBoundingSet\|^ProtectSystem/d' "$FILES/sluice.service" >"$WORK/exposed/sluice.service"
  ! little_exposed "$WORK/exposed/sluice.service" || fail "not found"
}

test_flags_areTheLaunchers() {
  local flag
  # shellcheck disable=SC2016 # expanded in the inner shell
  for flag in $(launcher 'node_flags; printf "%s\n" "${NODE_FLAGS[@]}"' | sed "s/^-Xmx128m$/-Xmx\${NODE_HEAP:-128m}/"); do
    grep -qF -- "$flag" "$FILES/node" || fail "a node lacks $flag" || return 1
  done
  # shellcheck disable=SC2016 # expanded in the inner shell
  for flag in $(launcher 'echo "${CLIENT_FLAGS[@]} ${CEREMONY_FLAGS[@]} $CLIENT_QUIET $CEREMONY_MAIN"') org.sluiceca.api.cli.audit.AuditCommand; do
    grep -qF -- " $flag" "$FILES/sluice" || fail "the command lacks $flag" || return 1
  done
}

test_command_knowsEveryCommandOfTheLauncher() {
  local command
  # shellcheck disable=SC2016 # expanded in the inner shell
  for command in $(launcher 'echo $COMMANDS'); do
    grep -qE "^  [A-Z].*[ ,]$command(,|$)| $command( \||\))" "$FILES/sluice" || fail "it says nothing of $command" || return 1
  done
  [ "$(sed -n "/^usage()/,/^USAGE/p" "$FILES/sluice" | wc -l)" -le 27 ] || fail "the help is longer than a screen"
}

test_scripts_areOfPlainShell() {
  local script
  for script in "$FILES"/node "$FILES"/migrate "$FILES"/sluice "$FILES"/client/sluice "$FILES"/debian/{postinst,prerm,postrm}; do
    dash -n "$script" || fail "$script" || return 1
  done
}

# --- The archives ---------------------------------------------------------------------------------------------

test_tar_runsFromAnyFolder_withItsStartUpCaches() {
  local place="$WORK/any folder" home
  mkdir -p "$place" && tar -xzf "$(package '*.tar.gz')" -C "$place" && home="$(echo "$place"/sluice-*)" || return 1
  expect 0 "$home/bin/sluice" --version && says "sluice $(launcher 'package_version "$SLUICE_ROOT/pom.xml"')" &&
    expect 0 "$home/bin/sluice" ceremony --help && says issuing-key && expect 0 "$home/bin/sluice" --help && says 'enroll, batch' &&
    expect 0 "$home/bin/sluice" audit --help && expect 2 "$home/bin/sluice" audit verify --database-url && expect 2 "$home/bin/sluice" enrol && says "did you mean 'enroll'?" &&
    expect 3 "$home/bin/sluice" up && says 'the source tree' && expect 2 "$home/bin/sluice" || return 1
  # A JVM that must have the cache ends if it does not fit.
  # shellcheck disable=SC2046 # words
  expect 0 "$home/lib/sluice/jre/bin/java" $(launcher 'echo "${CLIENT_FLAGS[@]}"') -XX:AOTMode=on -XX:AOTCache="$home/lib/sluice/sluice.aot" -jar "$home/lib/sluice/sluice.jar" --version || return 1
  touch "$home/lib/sluice/sluice.jar"
  # shellcheck disable=SC2046 # words
  ! expect 0 "$home/lib/sluice/jre/bin/java" $(launcher 'echo "${CLIENT_FLAGS[@]}"') -XX:AOTMode=on -XX:AOTCache="$home/lib/sluice/sluice.aot" -jar "$home/lib/sluice/sluice.jar" --version 2>/dev/null ||
    fail "a cache for another jar is taken"
}

test_client_zip_runsByAnyJava25() {
  local place="$WORK/client" home
  mkdir -p "$place" && (cd "$place" && unzip -q "$(package 'sluice-client-*.zip')") && home="$(echo "$place"/sluice-client-*)" || return 1
  expect 0 env JAVA_HOME="$JAVA_HOME" "$home/sluice" --version && says 'sluice ' && grep -q $'%ERRORLEVEL%\r$' "$home/sluice.cmd" &&
    expect 3 env JAVA_HOME="$WORK/none" "$home/sluice" --version && says 'no Java' &&
    [ "$(ls "$home" | sort | paste -sd' ')" = 'CLIENT.md LICENSE NOTICE licences.txt sluice sluice-client.cdx.json sluice.cmd sluice.jar' ] || fail "$(ls "$home")" || return 1
  grep -qx 'licences of a client' "$home/licences.txt" && grep -q 'of a client' "$home/sluice-client.cdx.json" || fail "the lists are not the client's"
}

# Debian's copyright file names where the notices and the sources of the runtime are: there they must be.
test_runtime_hasItsLegalNotices_andNamesItsSources() {
  local tree="$WORK/notices" jre doc line
  mkdir -p "$tree" && dpkg-deb --extract "$(package '*.deb')" "$tree" && jre="$tree/usr/lib/sluice/jre" doc="$tree/usr/share/doc/sluice" || return 1
  diff -r "$JAVA_HOME/legal/java.base" "$jre/legal/java.base" && [ ! -e "$JAVA_HOME/NOTICE" ] || cmp "$JAVA_HOME/NOTICE" "$jre/legal/NOTICE" || fail "notices" || return 1
  [ "$(cd "$jre/legal" && find . -mindepth 1 -maxdepth 1 -type d -printf '%P\n' | sort | paste -sd' ')" = "$(sed -n 's/^MODULES="\(.*\)"/\1/p' "$jre/release" | tr ' ' '\n' | sort | paste -sd' ')" ] ||
    fail "modules without notices" || return 1
  for line in JAVA_RUNTIME_VERSION SOURCE SOURCE_REPO IMPLEMENTOR; do
    grep "^$line=" "$JAVA_HOME/release" | grep -qxFf - "$jre/release" || ! grep -q "^$line=" "$JAVA_HOME/release" || fail "no $line" || return 1
  done
  for line in usr/lib/sluice/jre/release usr/lib/sluice/jre/legal usr/lib/sluice/jre/legal/java.base/LICENSE; do
    grep -q "/$line" "$doc/copyright" && [ -e "$tree/$line" ] || fail "the copyright file does not name $line, or it is not there" || return 1
  done
  for line in licences.txt ca-api.cdx.json sluice-client.licences.txt sluice-client.cdx.json; do
    grep -q "$line" "$doc/copyright" && [ "$(ls "$doc/$line"* | wc -l)" -eq 1 ] || fail "$line" || return 1
  done
}

# --- The shells, as Debian starts them, without a user's configuration ------------------------------------------

# completed SHELL OPTION SCRIPT ARGUMENTS…: what a shell of a user that has installed the package makes of a line.
completed() {
  local shell="$1" option="$2" script="$3"
  shift 3
  env -i PATH="$WORK/shell-bin:/usr/bin:/bin" HOME="$WORK/shell-home" TERM=dumb XDG_DATA_DIRS="$SHARE:/usr/share" \
    timeout 60 "$shell" "$option" -c "$script" "$shell" "$@" >"$WORK/out" 2>"$WORK/err" </dev/null
}

completion_tree() {
  SHARE="$WORK/completions/usr/share"
  mkdir -p "$WORK"/{completions,shell-home,shell-bin} && dpkg-deb --extract "$(package '*.deb')" "$WORK/completions" || return 1
  printf '#!/bin/sh\n' >"$WORK/shell-bin/sluice" && chmod 755 "$WORK/shell-bin/sluice"
}

test_completion_bash_isLoadedByItsName() {
  [ -r /usr/share/bash-completion/bash_completion ] || { skip "no bash-completion"; return 0; }
  completion_tree || return 1
  # shellcheck disable=SC2016 # expanded in the inner shell
  local script='. /usr/share/bash-completion/bash_completion; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
    _completion_loader sluice || true; compopt() { :; }; _complete_sluice; printf "<%s>" "${COMPREPLY[@]}"'
  completed bash --norc "$script" sluice enr && says '<enroll>'
}

# zsh_completes FUNCTIONS LINE: what TAB makes of LINE in an interactive zsh with that folder among its functions.
zsh_completes() {
  # shellcheck disable=SC2016 # expanded in the inner shells
  env -i PATH=/usr/bin:/bin HOME="$WORK/shell-home" TERM=dumb timeout 60 zsh -f -c '
    zmodload zsh/zpty
    zpty -b z zsh -f -i
    zpty -w z "fpath=(${(q)1} \$fpath); autoload -Uz compinit && compinit -u -D"
    zpty -w z "bindkey \"^I\" complete-word; accept() { print -r -- \"[\$BUFFER]\"; BUFFER=; zle accept-line }; zle -N accept; bindkey \"^X\" accept; print re\"\"ady"
    zpty -r z said "*ready*"
    zpty -w -n z "$2"$'\''\t\x18'\''
    zpty -r z said "*\[*\]*"
    print -r -- "$said"
    zpty -d z' zsh "$1" "$2" >"$WORK/out" 2>"$WORK/err" </dev/null
}

test_completion_zsh_isLoadedAsAFunction_plantedScriptOfBashIsNot() {
  command -v zsh >/dev/null || { skip "no zsh"; return 0; }
  completion_tree || return 1
  # Debian's own zsh looks there.
  zsh -f -c 'print -l $fpath' | grep -qx /usr/share/zsh/vendor-completions || fail "not in zsh's \$fpath" || return 1
  # shellcheck disable=SC2016 # expanded in the inner shell
  expect 0 zsh -f -c 'fpath=("$1"); autoload -Uz _sluice && autoload +X _sluice' zsh "$SHARE/zsh/vendor-completions" && [ ! -s "$WORK/err" ] || fail "$(cat "$WORK/err")" || return 1
  zsh_completes "$SHARE/zsh/vendor-completions" 'sluice enr' && says '[sluice enroll ]' &&
    zsh_completes "$SHARE/zsh/vendor-completions" 'sluice find --status v' && says '[sluice find --status valid ]' || return 1
  mkdir -p "$WORK/planted-zsh" && { echo '#compdef sluice'; cat "$SHARE/bash-completion/completions/sluice"; } >"$WORK/planted-zsh/_sluice"
  zsh_completes "$WORK/planted-zsh" 'sluice enr' && ! grep -qF '[sluice enroll ]' "$WORK/out" || fail "the script of bash completes the first time, too"
}

test_completion_fish_isLoadedByItsName() {
  command -v fish >/dev/null || { skip "no fish"; return 0; }
  completion_tree && completed fish --private 'complete -C "sluice enr"' && says enroll
}

# --- The Debian package -----------------------------------------------------------------------------------------

test_lintian_noErrors_plantedIsFound() {
  command -v lintian >/dev/null || { skip "no lintian"; return 0; }
  lintian --allow-root --fail-on error "$(package '*.deb')" >"$WORK/lintian" 2>&1 || fail "$(grep -E '^E:' "$WORK/lintian" || tail -n 5 "$WORK/lintian")" || return 1
  sed -E 's/^(.): [^ ]+ ([^ ]+).*/    \1 \2/' "$WORK/lintian" | sort | uniq -c
  small_package "$WORK/bad.deb" 2026-01-01 || return 1
  ! lintian --allow-root --fail-on error "$WORK/bad.deb" >"$WORK/lintian" 2>&1 && grep -q '^E:' "$WORK/lintian" || fail "nothing was found in a package without a copyright"
}

# --- Run --------------------------------------------------------------------------------------------------------

JAVA_HOME="$(launcher find_jdk)" && export JAVA_HOME || exit 1
[ "${PACKAGE_DEBIAN:-12}" = 12 ] && DEBIAN_ROOT=debian-root || DEBIAN_ROOT="debian-root-$PACKAGE_DEBIAN"
# shellcheck disable=SC2016 # expanded in the inner shell
launcher 'tool "$1" && ln -s "$(readlink -f "$TOOLS/$1")/root.tar" "$2"' "$DEBIAN_ROOT" "$WORK/root.tar" 2>/dev/null || printf 'no clean Debian\n'
make_packages || { echo "cannot make the packages" >&2; exit 1; }
[ "$TIER" = ci ] || [ "$PATTERN" != . ] || PATTERN='^test_(upgrade|bareLinux)'
run_tests "$PATTERN"
