#!/usr/bin/env bash
# Tests of the packages: made of what the checkout has built, judged by lintian, installed in a clean Debian and used there as
# an operator and a user would, with the database and the token of a trial. Each test is a function test_…; `package.sh PATTERN`
# runs those whose names match. Takes some three minutes. PACKAGE_BUILT names a folder with ca-api.jar and sluice.jar.
set -uo pipefail

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
SLUICE_ROOT="$(readlink -f "$HERE/../../..")"
FILES="$SLUICE_ROOT/deploy/package"
SLUICE="$SLUICE_ROOT/sluice"
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
  [ ! -d "$D" ] || SLUICE_DIST="$ROOT/usr/lib/sluice" "$SLUICE" down --data "$D" >/dev/null 2>&1
  rm -rf --one-file-system "$WORK"
}
trap finish EXIT
trap 'exit 1' INT TERM
# shellcheck source=/dev/null
source "$HERE/runner.sh"

# launcher CODE [ARGUMENTS…]: code with the launcher's own functions, which fails as the launcher does.
launcher() {
  local code="$1"
  shift
  SLUICE_ROOT="$SLUICE_ROOT" timeout 600 bash -c '
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
  [ -n "${PACKAGE_BUILT:-}" ] || launcher 'require_tools $PACKAGE_TOOLS; build' || return 1
  cp "${PACKAGE_BUILT:-$SLUICE_ROOT/ca-api/target}/ca-api.jar" "${PACKAGE_BUILT:-$SLUICE_ROOT/ca-api/client/target}/sluice.jar" "$built" &&
    printf '{"a list": "of a release"}\n' >"$built/ca-api.cdx.json" && printf 'licences of a release\n' >"$built/licences.txt" || return 1
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
    [ "$(ls "$WORK"/packages/sluice_*_amd64.deb | wc -l)" -eq 1 ] && [ "$(ls "$WORK/packages" | wc -l)" -eq 5 ] || fail "$(ls "$WORK/packages")"
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
  for script in "$FILES"/node "$FILES"/sluice "$FILES"/client/sluice "$FILES"/debian/{postinst,prerm,postrm}; do
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
    [ "$(ls "$home" | sort | paste -sd' ')" = 'CLIENT.md LICENSE NOTICE licences.txt sluice sluice.cmd sluice.jar' ] || fail "$(ls "$home")"
}

# --- The Debian package -----------------------------------------------------------------------------------------

test_lintian_noErrors_plantedIsFound() {
  command -v lintian >/dev/null || { skip "no lintian"; return 0; }
  lintian --allow-root --fail-on error "$(package '*.deb')" >"$WORK/lintian" 2>&1 || fail "$(grep -E '^E:' "$WORK/lintian" || tail -n 5 "$WORK/lintian")" || return 1
  sed -E 's/^(.): [^ ]+ ([^ ]+).*/    \1 \2/' "$WORK/lintian" | sort | uniq -c
  small_package "$WORK/bad.deb" 2026-01-01 || return 1
  ! lintian --allow-root --fail-on error "$WORK/bad.deb" >"$WORK/lintian" 2>&1 && grep -q '^E:' "$WORK/lintian" || fail "nothing was found in a package without a copyright"
}

# The words before a command in the clean Debian, with the kernel's own files: one process, which becomes the command.
# shellcheck disable=SC2016 # the inner shell's own variables
ENTER=(unshare --mount sh -c 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && root="$1" && shift && exec chroot "$root" env -i \
  PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"' enter "$ROOT")

inside() { timeout 300 "${ENTER[@]}" "$@"; }

has_root() {
  [ "$(id -u)" -eq 0 ] && [ -s "$WORK/root.tar" ] && unshare --mount true 2>/dev/null
}

clean_root() {
  rm -rf --one-file-system "$ROOT" && mkdir -m 755 "$ROOT" && tar -xf "$WORK/root.tar" -C "$ROOT" --exclude='./dev/*' --numeric-owner &&
    printf '127.0.0.1 localhost\n' >"$ROOT/etc/hosts" && chmod 644 "$ROOT/etc/hosts" && cp "$(package '*.deb')" "$ROOT/sluice.deb"
}

# A service manager that writes down what it is asked for; the node runs for it if /run/runs is there.
with_systemd() {
  mkdir -p "$ROOT/run/systemd/system" && chmod 755 "$ROOT/run" "$ROOT/run/systemd" "$ROOT/run/systemd/system"
  # shellcheck disable=SC2016 # the text of the program
  printf '#!/bin/sh\necho "$0 $*" | sed "s,.*/,," >>/asked\ncase "$*" in *is-active*) test -e /run/runs ;; esac\n' >"$ROOT/usr/local/bin/systemctl"
  chmod 755 "$ROOT/usr/local/bin" "$ROOT/usr/local/bin/systemctl"
  cp -p "$ROOT/usr/local/bin/systemctl" "$ROOT/usr/local/bin/deb-systemd-invoke"
}

asked() { [ "$(grep -E 'start|stop' "$ROOT/asked" 2>/dev/null | paste -sd,)" = "$1" ] || fail "asked for '$(paste -sd, "$ROOT/asked")', not '$1'"; }

test_deb_install_upgrade_remove_purge() {
  has_root || { skip "needs root, namespaces and mmdebstrap"; return 0; }
  clean_root && with_systemd || return 1
  expect 0 inside dpkg -i /sluice.deb && asked '' || return 1
  [ "$(inside stat -c '%a %U %G' /etc/sluice /var/lib/sluice | paste -sd,)" = '750 root sluice,700 sluice sluice' ] || fail "folders" || return 1
  [ -L "$ROOT/etc/systemd/system/multi-user.target.wants/sluice.service" ] || fail "not enabled" || return 1
  inside getent passwd sluice | grep -q ':/usr/sbin/nologin$' || fail "the user can log in" || return 1
  expect 0 inside dpkg --verify sluice && [ ! -s "$WORK/out" ] || fail "$(cat "$WORK/out")" || return 1
  # An upgrade stops what runs before its files are replaced, and starts it again; what does not run stays so.
  expect 0 inside dpkg -i /sluice.deb && asked '' && : >"$ROOT/run/runs" && expect 0 inside dpkg -i /sluice.deb &&
    asked 'deb-systemd-invoke stop sluice.service,deb-systemd-invoke start sluice.service' && [ ! -e "$ROOT/run/sluice.ran-before-upgrade" ] || return 1
  configuration_and_state
  expect 0 inside dpkg -r sluice && asked 'deb-systemd-invoke stop sluice.service,deb-systemd-invoke start sluice.service,deb-systemd-invoke stop sluice.service' || return 1
  [ ! -e "$ROOT/usr/lib/sluice" ] && [ "$(find "$ROOT/etc/sluice" "$ROOT/var/lib/sluice" -type f | wc -l)" -eq 11 ] ||
    fail "$(find "$ROOT/usr/lib/sluice" "$ROOT/etc/sluice" "$ROOT/var/lib/sluice")" || return 1
  expect 0 inside dpkg -P sluice && says 'kept, since it may exist nowhere else (delete it by hand): /etc/sluice/issuing.pin' || return 1
  [ "$(cd "$ROOT" && find etc/sluice var/lib/sluice -type f | sort | paste -sd' ')" = \
    'etc/sluice/client.pem etc/sluice/issuing.pin etc/sluice/keys-of-secrets etc/sluice/sub/berlin.pin var/lib/sluice/softhsm/tokens/a-b/generation var/lib/sluice/softhsm/tokens/a-b/token.object' ] ||
    fail "left: $(cd "$ROOT" && find etc/sluice var/lib/sluice -type f)" || return 1
  [ -e "$ROOT/var/lib/sluice-hsm/token.object" ] && [ ! -e "$ROOT/etc/systemd/system/multi-user.target.wants/sluice.service" ] || fail "too much or too little" || return 1
  # Without such things nothing is left.
  rm -rf "$ROOT/etc/sluice" "$ROOT/var/lib/sluice"
  expect 0 inside dpkg -i /sluice.deb && : >"$ROOT/etc/sluice/node.env" && : >"$ROOT/var/lib/sluice/tls.p12" && expect 0 inside dpkg -P sluice &&
    [ ! -e "$ROOT/etc/sluice" ] && [ ! -e "$ROOT/var/lib/sluice" ] || fail "left: $(find "$ROOT/etc/sluice" "$ROOT/var/lib/sluice")"
}

# Eleven files: what goes with a purge, and what must not.
configuration_and_state() {
  local state="$ROOT/var/lib/sluice" file
  mkdir -p "$ROOT/etc/sluice/sub" "$state"/{audit,softhsm/tokens/a-b} "$ROOT/var/lib/sluice-hsm"
  printf 'SLUICE_NODE_NAME=a\nSLUICE_SECRETS_FILE=/etc/sluice/keys-of-secrets\n' >"$ROOT/etc/sluice/node.env"
  printf -- '-----BEGIN EC PRIVATE KEY-----\n' >"$ROOT/etc/sluice/client.pem"
  for file in etc/sluice/{issuing.pin,service.password,db-ca.pem,keys-of-secrets,sub/berlin.pin} \
    var/lib/sluice/{tls.p12,audit/checkpoint-1.json,softhsm/tokens/a-b/token.object,softhsm/tokens/a-b/generation} var/lib/sluice-hsm/token.object; do
    printf 'x\n' >"$ROOT/$file"
  done
}

# --- A node of the package ---------------------------------------------------------------------------------------

# A trial whose database and token the node takes; the trial's own node ends.
trial() {
  local tries port
  for ((tries = 0; tries < 20; tries++)); do
    port=$((21000 + RANDOM % 900 * 10))
    # shellcheck disable=SC2016 # expanded in the inner shell
    ! launcher 'for port in $(seq "$1" $(($1 + 6))); do ! port_is_busy "$port" || exit 0; done; exit 1' "$port" || continue
    PORT="$port"
    break
  done
  # By the jars of the package, so that the checkout's own distribution is neither built nor trained for it.
  expect 0 env SLUICE_DIST="$ROOT/usr/lib/sluice" "$SLUICE" up --detach --data "$D" --port "$PORT" --http-port $((PORT + 1)) --management-port $((PORT + 2)) || return 1
  kill "$(cat "$D/node-0.pid")" && await 60 ended "$(cat "$D/node-0.pid")"
  NODE_PORT=$((PORT + 3))
}

# Who has lost its parent may wait for init to notice.
ended() { [ ! -d "/proc/$1" ] || grep -q '^State:.Z' "/proc/$1/status"; }

# settings OF: the lines of the unit that begin so, without it.
settings() { sed -n "s/^$1=//p" "$FILES/sluice.service"; }

# What `sluice setup` or an operator writes, for a token of SoftHSM where the unit lets it write.
configure() {
  local hsm="$ROOT/var/lib/sluice-hsm" database
  database="$(sed -n 4p "$D/postgres/data/postmaster.pid")"
  mkdir -p "$hsm" && cp -rT "$D/softhsm/issuing/tokens" "$hsm/tokens" &&
    printf 'directories.tokendir = /var/lib/sluice-hsm/tokens\nobjectstore.backend = file\nlog.level = ERROR\n' >"$hsm/softhsm2.conf" &&
    cp "$D/secrets/issuing.pin" "$ROOT/etc/sluice/issuing.pin" && cp "$D/secrets/database.password" "$ROOT/etc/sluice/service.password" &&
    chmod 400 "$ROOT"/etc/sluice/{issuing.pin,service.password} && inside chown -R sluice:sluice /var/lib/sluice-hsm || return 1
  cat >"$ROOT/etc/sluice/node.env" <<SETTINGS
SLUICE_NODE_NAME=packaged
SERVER_PORT=$NODE_PORT
SLUICE_HTTP_PORT=$((NODE_PORT + 1))
MANAGEMENT_SERVER_PORT=$((NODE_PORT + 2))
SLUICE_PUBLIC_URL=http://localhost:$((PORT + 1))
SLUICE_SERVICE_URL=https://localhost:$NODE_PORT
SLUICE_DATABASE_URL=jdbc:postgresql://127.0.0.1:$database/sluice
SLUICE_HSM_MODULE=/usr/lib/softhsm/libsofthsm2.so
SLUICE_HSM_TOKEN_LABEL=sluice-issuing
SOFTHSM2_CONF=/var/lib/sluice-hsm/softhsm2.conf
SETTINGS
}

# As the service manager does it: credentials, environment, folder, user and program of the unit. The JVM must take the cache.
start_node() {
  local credentials=/run/credentials/sluice.service pair environment=()
  mkdir -p "$ROOT$credentials" && chmod 755 "$ROOT/run/credentials"
  while IFS= read -r pair; do
    cp "$ROOT${pair#*:}" "$ROOT$credentials/${pair%%:*}" || return 1
  done < <(settings LoadCredential)
  inside chown -R sluice:sluice "$credentials"
  mapfile -t environment < <(settings Environment | sed "s#%d#$credentials#"; sed '/^#/d; /^$/d' "$ROOT$(settings EnvironmentFile)")
  "${ENTER[@]}" setpriv --reuid="$(settings User)" --regid="$(settings Group)" --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all \
    env --chdir="$(settings WorkingDirectory)" "${environment[@]}" "JDK_JAVA_OPTIONS=-XX:AOTMode=on" "$(settings ExecStart)" >"$WORK/node.log" 2>&1 </dev/null &
  NODE_PID=$!
}

ready() { [ -d "/proc/$NODE_PID" ] && curl -sf --noproxy '*' --max-time 2 "http://127.0.0.1:$((NODE_PORT + 2))/actuator/health/readiness"; }

test_deb_nodeOfTheUnit_issuesToAnotherUser_andDrains() {
  has_root || { skip "needs root, namespaces and mmdebstrap"; return 0; }
  local status=0 home="$ROOT/home/alice" user=(setpriv --reuid=alice --regid=alice --clear-groups env --chdir=/home/alice HOME=/home/alice)
  clean_root && expect 0 inside dpkg -i /sluice.deb && trial && configure && start_node && await "$START_SECONDS" ready ||
    fail "no node: $(tail -n 5 "$WORK/node.log" 2>/dev/null)" || return 1
  inside useradd --create-home alice && cp "$D/root.pem" "$D/enroll.token" "$home/" && inside chown -R alice:alice /home/alice || return 1
  expect 0 inside "${user[@]}" sluice enroll --url "https://localhost:$NODE_PORT" --ca-file root.pem --token-file enroll.token --profile tls-server \
    --dns www.example.com --key www.key --out www.pem || fail "$(tail -n 5 "$WORK/node.log")" || return 1
  openssl verify -x509_strict -CAfile "$D/root.pem" -untrusted "$D/chain.pem" "$home/www.pem" >/dev/null || fail "the certificate does not verify" || return 1
  # The node's own files are in its state; other users cannot read its secrets.
  [ -s "$ROOT/var/lib/sluice/tls.p12" ] || fail "no state" || return 1
  expect 1 inside "${user[@]}" cat /etc/sluice/issuing.pin && expect 2 inside "${user[@]}" ls /etc/sluice /var/lib/sluice || return 1
  expect 0 inside "${user[@]}" sluice find --url "https://localhost:$NODE_PORT" --ca-file root.pem --token-file enroll.token --san www.example.com && says www.example.com || return 1
  kill -s TERM "$NODE_PID"
  wait "$NODE_PID" || status=$?
  NODE_PID=''
  [ "$status" -eq 143 ] || fail "ended with $status: $(tail -n 3 "$WORK/node.log")" || return 1
  # Removing the package leaves what the next installation needs.
  expect 0 inside dpkg -r sluice && [ -s "$ROOT/etc/sluice/issuing.pin" ] && [ -s "$ROOT/var/lib/sluice/tls.p12" ] && [ -d "$ROOT/var/lib/sluice-hsm/tokens" ] || fail "removed too much"
}

test_deb_startUpCacheOfOtherJars_isNotTaken() {
  has_root && [ -d "$ROOT" ] || { skip "needs root, namespaces and mmdebstrap"; return 0; }
  clean_root && expect 0 inside dpkg -i /sluice.deb || return 1
  touch "$ROOT/usr/lib/sluice/ca-api.jar"
  ! expect 0 inside env JDK_JAVA_OPTIONS=-XX:AOTMode=on /usr/lib/sluice/node 2>/dev/null && grep -qi 'aot' "$WORK/out" "$WORK/err" || fail "it was taken: $(head -n 3 "$WORK/out")"
}

# --- Run --------------------------------------------------------------------------------------------------------

JAVA_HOME="$(launcher find_jdk)" && export JAVA_HOME || exit 1
launcher 'tool debian-root && ln -s "$(readlink -f "$TOOLS/debian-root")/root.tar" "$1"' "$WORK/root.tar" 2>/dev/null || printf 'no clean Debian\n'
make_packages || { echo "cannot make the packages" >&2; exit 1; }
run_tests "$PATTERN"
