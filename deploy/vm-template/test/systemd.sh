#!/usr/bin/env bash
# Tests of the Debian package under systemd: in a machine of the template's Debian it is installed, set up, run, restarted,
# killed, upgraded, removed and purged, with a PostgreSQL outside the machine and SoftHSM in it. Each test is a function
# test_…; they are steps of one machine's life, in the order of their names. Takes a quarter of an hour, as QEMU emulates
# the processors. PACKAGE_DEB names the package; without it one is made of ca-api.jar and sluice.jar in PACKAGE_BUILT or
# of the checkout. VM_CACHE is a folder with the template's Debian, to be used again.
# Code for another shell; fail fails.
# shellcheck disable=SC2015,SC2016
set -uo pipefail

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
SLUICE_ROOT="$(readlink -f "$HERE/../../..")"
EXPOSURE_MAX=1.5
# Of the wait for a node. Seen: 60 to 120.
READY_SECONDS=600
PUBLIC_URL=http://pki.example.com
umask 077
export LC_ALL=C
for variable in $(compgen -e | grep -E '^(SLUICE|JDK_JAVA)_' | grep -v '^SLUICE_ROOT$' || true); do
  unset "$variable"
done
WORK="$(mktemp -d)"
# PostgreSQL may be another user.
chmod 711 "$WORK"
D="$WORK/database"

finish() {
  guest_end
  [ ! -d "$D" ] || launcher 'DATA="$1"; stop_postgres' "$D"
  rm -rf --one-file-system "$WORK"
}

# shellcheck source=/dev/null
source "$HERE/../../local/test/runner.sh"
# shellcheck source=/dev/null
source "$HERE/guest.sh"
trap finish EXIT
trap 'exit 1' INT TERM

# expect STATUS CODE…: in the machine, by root's shell.
expect() {
  local expected="$1" status=0
  shift
  guest "$@" || status=$?
  [ "$status" -eq "$expected" ] || fail "exit $status, not $expected: $* ($(tail -n 3 "$WORK/out" | tr '\n' ' '))"
}

says() { grep -qF -- "$1" "$WORK/out" || fail "does not say '$1': $(tail -n 3 "$WORK/out")"; }
says_not() { ! grep -qF -- "$1" "$WORK/out" || fail "says '$1'"; }
answer() { tr -d '\r' <"$WORK/out" | paste -sd' '; }

# is VALUE CODE…: what it prints, its lines side by side.
is() {
  local value="$1"
  shift
  expect 0 "$@" && [ "$(answer)" = "$value" ] || fail "'$(answer)', not '$value': $*"
}

# --- What goes into the machine -----------------------------------------------------------------------------

# Two packages of one program, the second one later.
make_packages() {
  local built="$WORK/built" deb="${PACKAGE_DEB:-}" later="$WORK/later"
  if [ -z "$deb" ]; then
    mkdir -p "$built"
    [ -n "${PACKAGE_BUILT:-}" ] || launcher 'build' || return 1
    cp "${PACKAGE_BUILT:-$SLUICE_ROOT/ca-api/target}/ca-api.jar" "${PACKAGE_BUILT:-$SLUICE_ROOT/ca-api/client/target}/sluice.jar" "$built" &&
      printf '{}\n' | tee "$built/ca-api.cdx.json" >"$built/sluice-client.cdx.json" &&
      printf 'licences\n' | tee "$built/licences.txt" >"$built/sluice-client.licences.txt" || return 1
    launcher 'require_tools $PACKAGE_TOOLS
      PACKAGE_EPOCH=1767323045 PACKAGE_COMMIT=tested PACKAGE_QUICK=yes PACKAGE_RUNTIMES="$3" SLUICE_TRAINING_SECONDS=0
      export SLUICE_TRAINING_SECONDS
      package_all "$SLUICE_ROOT" "$1" "$2"' "$built" "$WORK/packages" "${VM_CACHE:-$WORK/packages.runtimes}" || return 1
    deb="$(echo "$WORK"/packages/sluice_*_amd64.deb)"
  fi
  install -D -m 644 "$deb" "$WORK/files/srv/first.deb" && dpkg-deb --raw-extract "$deb" "$later" &&
    sed -i 's/^Version: .*/&+later/' "$later/DEBIAN/control" && sed -i '1s/$/+later/' "$later/usr/lib/sluice/version" &&
    dpkg-deb --root-owner-group -Zgzip -z1 --build "$later" "$WORK/files/srv/later.deb" >/dev/null && rm -rf "$later"
}

# A server of the launcher's, with the two roles and the empty database of DATABASE.md.
make_database() {
  launcher 'DATA="$1"
    mkdir -p "$DATA/secrets"
    chmod 711 "$DATA"
    prerequisites_to_run
    make_work_directory
    fetch_postgres
    choose_postgres_account
    create_cluster
    (become_postgres "$DATA/roles.log" postgres --single -D "$DATA/postgres/data" postgres) <<SQL
CREATE ROLE sluice_service LOGIN PASSWORD '"'"'$(cat "$DATA/secrets/database.password")'"'"';
GRANT pg_read_all_stats TO sluice, sluice_service;
SQL
    start_postgres' "$D"
}

# What the sandbox must keep out, and what a node needs: the probe tries each, and prints what it could do.
make_probe() {
  local bin="$WORK/files/usr/local/bin" folder
  (
    umask 022
    mkdir -p "$bin" "$WORK"/files/{etc,usr/local,var,boot}/open
    cat >"$bin/probe" <<'PROBE'
#!/bin/bash
can() { if "${@:2}" >/dev/null 2>&1; then echo "$1"; fi; }
can become-root sh -c '[ "$(root-id -u)" = 0 ]'
can change-personality setarch --addr-no-randomize true
can make-namespace unshare --user true
can make-setuid sh -c 'touch /var/lib/sluice/probe && chmod 4755 /var/lib/sluice/probe'
can open-netlink python3 -c 'import socket; socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)'
can read-boot ls /boot/open
can read-home cat ~alice/note
can read-pin cat "$CREDENTIALS_DIRECTORY/hsm-pin"
can read-pin-file cat /etc/sluice/issuing.pin
can see-disk test -e /dev/sda
can see-processes test -d /proc/1
can see-tmp test -e /tmp/of-others
can write-etc touch /etc/open/probe
can write-hsm touch /var/lib/sluice-hsm/probe
can write-state touch /var/lib/sluice/probe
can write-usr touch /usr/local/open/probe
can write-var touch /var/open/probe
rm -f /var/lib/sluice/probe /var/lib/sluice-hsm/probe
PROBE
    chmod 755 "$bin/probe"
  )
  # So that nothing but the sandbox is in the way.
  for folder in etc usr/local var boot; do
    chmod 1777 "$WORK/files/$folder/open"
  done
}

# probe_unit NAME SED: the package's unit, changed by SED, with the probe as its program; what it could do.
probe_unit() {
  expect 0 "sed -e 's#^ExecStart=.*#ExecStart=/usr/local/bin/probe#; s/^Type=.*/Type=oneshot/; s/^Restart=.*/Restart=no/' \
    -e '/^\[Install\]/,\$d' -e '$2' /usr/lib/systemd/system/sluice.service >/run/systemd/system/$1.service &&
    sed -i '/^\[Service\]/a StandardOutput=truncate:/run/$1.out' /run/systemd/system/$1.service && systemctl daemon-reload && systemctl start $1" &&
    expect 0 "cat /run/$1.out"
}

exposure_of() {
  expect 0 "systemd-analyze security --no-pager $1 | tail -n 2" || return 1
  EXPOSURE="$(sed -n 's/.*exposure level for [^:]*: \([0-9.]*\).*/\1/p' "$WORK/out")"
  [ -n "$EXPOSURE" ] || fail "no exposure: $(answer)"
}
little_exposed() { awk -v e="$EXPOSURE" -v m="$EXPOSURE_MAX" 'BEGIN { exit !(e <= m) }'; }

# What confines a unit.
readonly CONFINEMENT='/^\(NoNew\|Capability\|Ambient\|Protect\|Private\|Restrict[ANRS]\|LockP\|SystemCall\|Inaccessible\|UMask\|Keyring\|RemoveIPC\)/d'
readonly NEEDED='read-pin write-hsm write-state'

# --- A node -----------------------------------------------------------------------------------------------------

# await_ready: the node of the machine; says after how long.
await_ready() {
  local begun=$SECONDS
  GUEST_SECONDS=$((READY_SECONDS + 60)) expect 0 "for i in \$(seq $READY_SECONDS); do
      curl -sf --max-time 20 http://127.0.0.1:8180/actuator/health/readiness && exit 0; sleep 1
    done; journalctl -u sluice -n 5 -o cat; exit 1" && printf '    ready after %s s\n' "$((SECONDS - begun))"
}

# by_alice COMMAND…: another user, who has the trust anchor and a token of a requester.
by_alice() { printf 'cd /home/alice && timeout 300 setpriv --reuid=alice --regid=alice --clear-groups env HOME=/home/alice %s' "$*"; }
CLIENT='--url https://localhost:8443 --ca-file root.pem --token-file enroll.token --wait 240'

# enrolls NAME: a certificate for it, which verifies.
enrolls() {
  GUEST_SECONDS=360 expect 0 "$(by_alice "sluice enroll $CLIENT --profile tls-server --dns $1 --key $1.key --out $1.pem")" &&
    expect 0 "cd /home/alice && openssl verify -x509_strict -CAfile root.pem -untrusted chain.pem $1.pem"
}

states() { printf 'systemctl show -p %s sluice | sort' "$1"; }
property() { printf 'systemctl show --value -p %s sluice' "$1"; }
pid_of_node() { expect 0 "$(property MainPID)" && NODE="$(answer)" && [ "${NODE:-0}" -gt 1 ] || fail "no main process"; }

# log_since MARK: what unit and node wrote after mark_log.
mark_log() { expect 0 'date "+%F %T.%6N"' && LOG_MARK="$(answer)"; }
log_since() { expect 0 "journalctl -u sluice --since '$LOG_MARK' -o cat --no-pager"; }

drained() { log_since && says 'leaving: not ready any more' && says 'Stopped sluice.service' && says 'Deactivated successfully' && says_not 'Failed with result'; }

# --- The machine's life -----------------------------------------------------------------------------------------

test_01_install_withoutSettings_startsNothingAndFailsNothing() {
  GUEST_SECONDS=600 expect 0 'dpkg -i /srv/first.deb' && is enabled 'systemctl is-enabled sluice' && expect 0 'systemctl start sluice' &&
    is 'ActiveState=inactive ConditionResult=no NRestarts=0 Result=success' "$(states ActiveState,ConditionResult,NRestarts,Result)" &&
    is '' 'systemctl --failed --no-legend' && is '750 root sluice 700 sluice sluice' 'stat -c "%a %U %G" /etc/sluice /var/lib/sluice'
}

test_02_setup_byOptions_writesTheConfiguration() {
  local port
  port="$(launcher 'DATA="$1"; postgres_port' "$D")" || return 1
  expect 0 "umask 077; mkdir -p secrets; cd secrets; echo $(cat "$D/secrets/database.password") >password; echo 84712 >pin; echo 93651 >root.pin
    install -d -o sluice -g sluice -m 700 /var/lib/sluice-hsm /var/lib/sluice-hsm/tokens
    printf 'directories.tokendir = /var/lib/sluice-hsm/tokens\nobjectstore.backend = file\nlog.level = ERROR\n' >/var/lib/sluice-hsm/softhsm2.conf
    export SOFTHSM2_CONF=/var/lib/sluice-hsm/softhsm2.conf
    softhsm2-util --init-token --free --label issuing --pin 84712 --so-pin 90210000 && softhsm2-util --init-token --free --label root --pin 93651 --so-pin 90210000" || return 1
  GUEST_SECONDS=900 expect 0 "cd secrets && SOFTHSM2_CONF=/var/lib/sluice-hsm/softhsm2.conf timeout 840 sluice setup --non-interactive \
    --database-url jdbc:postgresql://10.0.2.2:$port/sluice --database-user sluice_service --database-password-file password \
    --database-migration-user sluice --database-migration-password-file password \
    --module /usr/lib/softhsm/libsofthsm2.so --token-label issuing --pin-file pin --subject 'CN=Issuing CA under systemd' \
    --root-token-label root --root-pin-file root.pin --root-subject 'CN=Root CA under systemd' --public-url $PUBLIC_URL --service-url https://localhost:8443 \
    && chown -R sluice:sluice /var/lib/sluice-hsm && echo SOFTHSM2_CONF=/var/lib/sluice-hsm/softhsm2.conf >>/etc/sluice/node.env" &&
    says 'written: /etc/sluice/node.env' && is '640 root root 600 root root 600 root root' 'cd /etc/sluice && stat -c "%a %U %G" node.env issuing.pin service.password' &&
    expect 0 'cp /etc/sluice/ceremony/{root.pem,chain.pem,enroll.token} /home/alice && echo mine >~alice/note && chmod 755 /home/alice && chmod 644 ~alice/note && chown alice:alice ~alice/*'
}

test_03_sandbox_keepsOutWhatANodeDoesNotNeed() {
  expect 0 'touch /tmp/of-others && install -m 4755 /usr/bin/id /usr/local/bin/root-id' && probe_unit probe '' && [ "$(answer)" = "$NEEDED" ] || fail "could $(answer)"
}

# Without the sandbox each of the probe's ways is open: none is closed by something else.
test_04_sandbox_planted_everyHoleIsFound() {
  probe_unit probe-planted "$CONFINEMENT" || return 1
  is "$(answer)" "grep -o '^can [a-z-]*' /usr/local/bin/probe | cut -d ' ' -f 2 | grep -v '^read-pin-file\$'"
}

test_05_exposure_isLow_plantedIsFound() {
  exposure_of sluice || return 1
  printf '    exposure %s\n' "$EXPOSURE"
  little_exposed || fail "exposure $EXPOSURE" || return 1
  exposure_of probe-planted || return 1
  printf '    without its confinement %s\n' "$EXPOSURE"
  ! little_exposed || fail "not found" || return 1
  # One line alone, which an upgrade might lose.
  expect 0 'sed "/^SystemCallFilter/d" /usr/lib/systemd/system/sluice.service >/run/systemd/system/probe-line.service && systemctl daemon-reload' && exposure_of probe-line || return 1
  printf '    without its filter of system calls %s\n' "$EXPOSURE"
  ! little_exposed || fail "not found"
}

test_06_start_nodeHasItsCredentials_andIssuesToAnotherUser() {
  expect 0 'systemctl start sluice' && await_ready && pid_of_node && enrolls before.example.com || return 1
  # Of the process itself: user, no privileges, no way to any, the filter.
  is 'sluice' "stat -c %U /proc/$NODE" &&
    is 'CapInh: 0000000000000000 CapPrm: 0000000000000000 CapEff: 0000000000000000 CapBnd: 0000000000000000 CapAmb: 0000000000000000 NoNewPrivs: 1 Seccomp: 2' \
      "grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/$NODE/status | tr -s '\t' ' '" || return 1
  # Both secrets by the service manager, from files that the node's user cannot read.
  is '/run/credentials/sluice.service/hsm-pin /run/credentials/sluice.service/database-password' \
    "tr '\0' '\n' </proc/$NODE/environ | sed -n 's/^SLUICE_\(HSM_PIN\|DATABASE_PASSWORD\)_FILE=//p' | sort -r" &&
    expect 0 'cmp /etc/sluice/issuing.pin /run/credentials/sluice.service/hsm-pin && cmp /etc/sluice/service.password /run/credentials/sluice.service/database-password' &&
    expect 1 'setpriv --reuid=sluice --regid=sluice --clear-groups cat /etc/sluice/issuing.pin' && says 'Permission denied' &&
    expect 1 "$(by_alice cat /run/credentials/sluice.service/hsm-pin)" && says 'Permission denied' || return 1
  is '629145600' "$(property MemoryMax)" && expect 0 "$(property MemoryCurrent)" && printf '    memory of the unit %s MiB\n' "$(($(answer) / 1048576))"
}

test_07_restart_drains() {
  pid_of_node && mark_log || return 1
  local before="$NODE"
  GUEST_SECONDS=300 expect 0 'systemctl restart sluice' && drained && await_ready && pid_of_node && [ "$NODE" != "$before" ] &&
    is 'NRestarts=0 Result=success' "$(states NRestarts,Result)" && enrolls restarted.example.com
}

test_08_killed_isStartedAgain() {
  pid_of_node && expect 0 "$(property NRestarts)" || return 1
  local before="$NODE" restarts
  restarts="$(answer)"
  mark_log && expect 0 "kill -s KILL $NODE" &&
    expect 0 "for i in \$(seq 60); do [ \"\$($(property NRestarts))\" = $restarts ] || exit 0; sleep 1; done; exit 1" && await_ready &&
    pid_of_node && [ "$NODE" != "$before" ] && is $((restarts + 1)) "$(property NRestarts)" && log_since && says 'status=9/KILL' && says_not 'leaving: not ready' && enrolls killed.example.com
}

test_09_upgrade_drainsStartsAgainAndKeepsEverything() {
  local kept='cd / && find etc/sluice var/lib/sluice/tls.p12 -type f -exec sha256sum {} + | sort' before
  pid_of_node && mark_log && expect 0 "$kept" && before="$(answer)" && [ "$(wc -l <"$WORK/out")" -ge 8 ] || return 1
  GUEST_SECONDS=600 expect 0 'dpkg -i /srv/later.deb' && drained && is 1 'grep -c "^sluice .*+later$" /usr/lib/sluice/version' &&
    is 'active' 'systemctl is-active sluice' && await_ready && is "$before" "$kept" && expect 1 'test -e /run/sluice.ran-before-upgrade' && enrolls after.example.com || return 1
  GUEST_SECONDS=360 expect 0 "$(by_alice "sluice find $CLIENT --san before.example.com")" && says before.example.com
}

test_10_upgrade_ofAStoppedNode_leavesItStopped() {
  mark_log && GUEST_SECONDS=300 expect 0 'systemctl stop sluice' && drained && GUEST_SECONDS=600 expect 0 'dpkg -i /srv/first.deb' &&
    is 'inactive' 'systemctl is-active sluice || true' && is success "$(property Result)" && is enabled 'systemctl is-enabled sluice'
}

# But for the process that was killed, which is a warning.
test_11_journal_hasNoErrors_plantedIsFound() {
  is '' 'journalctl -u sluice -p err -o cat --no-pager' && expect 0 'journalctl -u sluice -o cat --no-pager | grep -c .' && printf '    lines in the journal: %s\n' "$(answer)" &&
    expect 1 'journalctl -u sluice -o cat --no-pager | grep -E "level.:.ERROR|^Exception"' && is '' 'systemctl --failed --no-legend' || return 1
  expect 0 'systemd-run --quiet --wait --unit planted-error sh -c "echo \"<3>an error\"" && journalctl --sync && journalctl -u planted-error -p err -o cat --no-pager' && says 'an error'
}

test_12_remove_leavesKeysConfigurationAndState_purgeNamesWhatItKeeps() {
  # A node that ends may add a checkpoint, and replace its CRLs.
  local files='cd / && find etc/sluice var/lib/sluice var/lib/sluice-hsm -type f ! -name "*.crl" | sort'
  expect 0 'systemctl start sluice' && await_ready && mark_log && expect 0 "$files >/tmp/before; grep -c . /tmp/before" && [ "$(answer)" -ge 20 ] || return 1
  GUEST_SECONDS=300 expect 0 'dpkg -r sluice' && drained && is '' "$files | comm -23 /tmp/before -" && expect 1 'test -e /usr/lib/sluice/ca-api.jar' &&
    is 'not-found' 'systemctl show --value -p LoadState sluice' || return 1
  GUEST_SECONDS=300 expect 0 'dpkg -P sluice' && says '(delete it by hand): /etc/sluice/issuing.pin' || return 1
  expect 1 'ls /etc/sluice/node.env /etc/sluice/service.password /var/lib/sluice/tls.p12 2>/dev/null | grep .' && is '/etc/sluice/issuing.pin' 'find /etc/sluice -type f' &&
    expect 0 'find /var/lib/sluice-hsm -name token.object | grep .' && expect 1 'systemctl is-enabled sluice'
}

# --- Run --------------------------------------------------------------------------------------------------------

[ "$(id -u)" -eq 0 ] || { echo "needs root: files of a machine have owners" >&2; exit 3; }
guest_files && make_probe && make_packages && make_database && guest_image "${VM_CACHE:-$SLUICE_ROOT/var/vm-cache}" || { echo "cannot make the machine" >&2; exit 1; }
guest_start || { cp "$WORK/console" "$SLUICE_ROOT/target/" 2>/dev/null; exit 1; }
run_tests "${1:-.}"
