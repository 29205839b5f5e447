#!/usr/bin/env bash
# Tests of the machine template without an image: the service's hardening, the firewall with real packets, and joining
# with the real desk. Each test is a function test_…; `run.sh PATTERN` runs those whose names match.
set -uo pipefail

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
TEMPLATE="$(dirname "$HERE")"
SLUICE="$TEMPLATE/../../sluice"
FILES="$TEMPLATE/root"
PATTERN="${1:-.}"
WORK="$(mktemp -d)"
EXPOSURE_MAX=2.0
DESK_PID=''
export LC_ALL=C

finish() {
  [ -z "$DESK_PID" ] || kill "$DESK_PID" 2>/dev/null
  rm -rf "$WORK"
}
trap finish EXIT
trap 'exit 1' INT TERM
# shellcheck source=/dev/null
source "$HERE/../../local/test/runner.sh"
# shellcheck source=/dev/null
source "$HERE/baseline.sh"

have() {
  local program
  for program in "$@"; do
    command -v "$program" >/dev/null || return 1
  done
}

# --- The service ------------------------------------------------------------------------------------

exposure_of() {
  systemd-analyze security --offline=true --no-pager "$1" 2>/dev/null | sed -n 's/.*exposure level for [^:]*: \([0-9.]*\).*/\1/p'
}

# The packages' unit with what the template adds, as systemd reads them.
template_unit() {
  mkdir -p "$WORK/unit"
  cat "$TEMPLATE/../package/sluice.service" "$FILES/etc/systemd/system/sluice.service.d/template.conf" >"$WORK/unit/sluice.service"
  printf '%s' "$WORK/unit/sluice.service"
}

little_exposed() { awk -v e="$(exposure_of "$1")" -v m="$EXPOSURE_MAX" 'BEGIN { exit !(e != "" && e <= m) }'; }

test_service_exposure_atMostTwo() {
  have systemd-analyze || { skip "no systemd-analyze"; return 0; }
  little_exposed "$(template_unit)" || fail "exposure $(exposure_of "$(template_unit)")"
  printf '    exposure %s\n' "$(exposure_of "$(template_unit)")"
}

test_planted_serviceWithoutFilterAndCapabilities_isFound() {
  have systemd-analyze || { skip "no systemd-analyze"; return 0; }
  mkdir -p "$WORK/planted"
  sed '/^SystemCallFilter\|^CapabilityBoundingSet\|^ProtectSystem/d' "$(template_unit)" >"$WORK/planted/sluice.service"
  ! little_exposed "$WORK/planted/sluice.service" || fail "not found: exposure $(exposure_of "$WORK/planted/sluice.service")"
}

test_service_isThePackages_withoutAUnitOfItsOwn() {
  local key
  [ ! -e "$FILES/etc/systemd/system/sluice.service" ] || fail "the template has a unit of its own" || return 1
  # What the packages' unit confines is not widened here.
  for key in $(sed -n 's/^\([A-Z][A-Za-z]*\)=.*/\1/p' "$FILES/etc/systemd/system/sluice.service.d/template.conf"); do
    [[ " Requires After Environment LoadCredential LoadCredentialEncrypted StandardOutput InaccessiblePaths " == *" $key "* ]] || fail "it sets $key" || return 1
  done
}

# --- Machines in QEMU, without QEMU -------------------------------------------------------------------

# A function of the commands that boot machines, in a shell that fails as the launcher's does.
machines() {
  VM_WORK="$WORK/machines" VM_OUT="$WORK/no-such-folder" TEMPLATE="$TEMPLATE" bash -c '
    set -euo pipefail
    for part in local/common local/process vm-template/machine; do source "$TEMPLATE/../$part.sh"; done
    eval "$1"' - "$1" >"$WORK/out" 2>&1
}

test_pair_badValues_exit2() {
  local bad status
  for bad in 'two' '--seconds 9' '--seconds 601' '--plant asynchronous' '--nodes 2'; do
    status=0
    # shellcheck disable=SC2086 # words
    "$SLUICE" vm pair $bad >"$WORK/out" 2>&1 || status=$?
    [ "$status" -eq 2 ] || fail "exit $status, not 2: vm pair $bad" || return 1
  done
}

# A full disk must not leave machines behind, and who interrupts the drill ends its balancer as well.
test_machines_end_evenIfConsolesCannotBeKept() {
  local pids pid
  mkdir -p "$WORK/machines"
  printf 'said\n' >"$WORK/machines/console-0"
  # shellcheck disable=SC2016 # the inner shell's own variables
  machines 'sleep 97 & VM_PID[0]=$!; sleep 97 & DESK_PID=$!
    bash -c "sleep 97 & wait" & LONG_CHILD=$!
    for try in {1..50}; do child="$(children_of "$LONG_CHILD")"; [ -z "$child" ] || break; sleep 0.1; done
    echo "${VM_PID[0]} $DESK_PID $LONG_CHILD $child" >"$VM_WORK.pids"
    trap vm_machines_end EXIT; exit 1'
  read -ra pids <"$WORK/machines.pids"
  [ ${#pids[@]} -eq 4 ] || fail "not four: ${pids[*]} $(cat "$WORK/out")" || return 1
  for pid in "${pids[@]}"; do
    # Ended or dead: who has lost its parent may wait for init to notice.
    case "$(sed 's/.*) //; s/ .*//' "/proc/$pid/stat" 2>/dev/null)" in
      '' | Z) ;;
      *) kill "$pid"; fail "process $pid lives: $(cat "$WORK/out")"; return 1 ;;
    esac
  done
  [ ! -e "$WORK/machines" ] || fail "its folder is there"
}

# The trail of a trial has the ends of earlier lives.
test_machine_ended_asksForThisLifeAlone() {
  mkdir -p "$WORK/machines" "$WORK/root"
  : >"$WORK/machines/console-1"
  printf '#!/bin/bash\necho "$*" >"%s/asked"\n[[ "$*" == *2026-05-02* ]] || echo \x27{"event":"node.stopped","node":"vm-1"}\x27\n' "$WORK" >"$WORK/root/sluice"
  chmod +x "$WORK/root/sluice"
  local life="SLUICE_ROOT=$WORK/root DATA=x; true & VM_PID[1]=\$!; VM_SINCE[1]"
  machines "$life=2026-05-01T00:00:00Z; vm_ended 1" || fail "an end is not seen: $(cat "$WORK/out")" || return 1
  grep -q -- '--from 2026-05-01T00:00:00Z' "$WORK/asked" || fail "asked for all lives: $(cat "$WORK/asked")" || return 1
  ! machines "$life=2026-05-02T00:00:00Z; vm_ended 1" || fail "an earlier end counts"
}

# --- The firewall -----------------------------------------------------------------------------------

# shellcheck source=/dev/null
source "$HERE/firewall.sh"

# --- Joining ----------------------------------------------------------------------------------------

# A machine's tree with the seed of node $1. Its file is $WORK/$1/etc/sluice/seed.
machine() {
  rm -rf "${WORK:?}/$1"
  mkdir -p "$WORK/$1"/{etc/sluice,etc/cloud,var/lib/sluice-join,var/lib/sluice-hsm,usr/lib}
  : >"$WORK/$1/usr/lib/module.so"
  printf '%s\n' SLUICE_PUBLIC_URL=http://pki.example.com SLUICE_DATABASE_URL=jdbc:postgresql://db.example.com/sluice \
    SLUICE_HSM_MODULE=/usr/lib/module.so SLUICE_HSM_TOKEN_LABEL=issuing 'MONITORING=192.0.2.1, 2001:db8::/64' >"$WORK/settings"
}

# The seed that `vm seed` writes, out of its ISO.
seed_of() {
  "$SLUICE" vm seed --desk-dir "$WORK/desk" --node "$1" --desk "127.0.0.1:$DESK_PORT" --settings "$WORK/settings" --out "$WORK/$1.iso" 2>"$WORK/err" ||
    { fail "vm seed: $(tail -n 1 "$WORK/err")"; return 1; }
  isoinfo -R -i "$WORK/$1.iso" -x /user-data | sed -n 's/^  content: //p' | base64 -d >"$WORK/$1/etc/sluice/seed"
}

join() {
  JOIN_STATUS=0
  JOIN_ROOT="$WORK/$1" JOIN_WAIT_SECONDS="${JOIN_WAIT_SECONDS:-2}" SYSTEMD_CREDENTIAL_SECRET="$WORK/host.key" "$FILES/usr/lib/sluice/join" >"$WORK/out" 2>&1 || JOIN_STATUS=$?
}

expect_one_line() {
  [ "$JOIN_STATUS" -eq 1 ] || fail "exit $JOIN_STATUS, not 1: $(cat "$WORK/out")" || return 1
  [ "$(wc -l <"$WORK/out")" -eq 1 ] || fail "not one line: $(cat "$WORK/out")" || return 1
  grep -qF -- "$1" "$WORK/out" || fail "no '$1' in: $(cat "$WORK/out")"
}

open_desk() {
  [ -z "$DESK_PID" ] || return 0
  printf '4711-pin\n' >"$WORK/pin"
  printf 'database-word\n' >"$WORK/password"
  mkdir -p "$WORK/client"
  printf 'the client key of an HSM\n' >"$WORK/client/client.key"
  tar -cf "$WORK/client.tar" -C "$WORK/client" .
  DESK_PORT=$((20000 + RANDOM % 12000))
  "$SLUICE" vm desk --desk-dir "$WORK/desk" --port "$DESK_PORT" --pin-file "$WORK/pin" --database-password-file "$WORK/password" \
    --hsm-client "$WORK/client.tar" >"$WORK/desk.log" 2>&1 </dev/null &
  DESK_PID=$!
  local tries
  for ((tries = 0; tries < 600; tries++)); do
    ! grep -q 'open on' "$WORK/desk.log" || return 0
    sleep 0.1
  done
  fail "the desk does not open: $(tail -n 2 "$WORK/desk.log")"
}

joining_can_run() {
  if ! have isoinfo systemd-creds curl; then
    skip "needs isoinfo (genisoimage), systemd-creds and curl"
    return 1
  fi
  open_desk
}

good_seed() {
  machine wrong
  cat "$WORK/settings" >"$WORK/wrong/etc/sluice/seed"
  printf '%s\n' SLUICE_NODE_NAME=n0 JOIN_DESK=127.0.0.1:1 "JOIN_KEY=sha256//$(head -c 32 /dev/zero | base64)" \
    "JOIN_SECRET=$(printf '%064d' 0)" >>"$WORK/wrong/etc/sluice/seed"
}

# wrong_seed EDIT SAID: the good seed, edited by sed, ends with that line.
wrong_seed() {
  good_seed
  sed -i "$1" "$WORK/wrong/etc/sluice/seed"
  join wrong
  expect_one_line "$2"
}

test_join_noSeed_saysSo() {
  machine bare
  join bare
  expect_one_line 'no seed: attach a disk'
}

test_join_wrongSeed_oneLineEach() {
  wrong_seed '/^SLUICE_DATABASE_URL/d' 'SLUICE_DATABASE_URL is missing' &&
    wrong_seed '$ a SLUICE_HSM_PIN=1234' 'SLUICE_HSM_PIN; a seed carries no PIN' &&
    wrong_seed '$ a SLUICE_DATABASE_PASSWORD_FILE=/x' 'SLUICE_DATABASE_PASSWORD_FILE; a seed carries no PIN' &&
    wrong_seed '$ a SLUICE_HSM_PINFILE=/x' 'SLUICE_HSM_PINFILE; a seed carries no PIN' &&
    wrong_seed '$ a SLUICE_HSMPIN=1234' 'SLUICE_HSMPIN; a seed carries no PIN' &&
    wrong_seed 's#db.example.com/sluice#&?pass%77ord=x#' 'holds a password' &&
    wrong_seed '$ a SLUICE_STATEDIR=/x' 'SLUICE_STATEDIR is no setting' &&
    wrong_seed '$ a SLUICE_NODENAME=n1' 'SLUICE_NODENAME is no setting' &&
    wrong_seed 's#//db.example.com#//sluice:4711@db.example.com#' "SLUICE_DATABASE_URL holds a user's name or password" &&
    wrong_seed 's#db.example.com/sluice#&?password=x#' 'holds a password' &&
    wrong_seed '$ a SERVER_PORT=1' 'SERVER_PORT is no setting' &&
    wrong_seed '$ a SLUICE_STATE_DIR=/x' 'SLUICE_STATE_DIR is no setting' &&
    wrong_seed '$ a SLUICE_NODE_NAME=n1' 'repeats SLUICE_NODE_NAME' &&
    wrong_seed '1 i hello' 'line 1 is not NAME=VALUE' &&
    wrong_seed 's/^JOIN_DESK=.*/JOIN_DESK=nowhere/' 'JOIN_DESK is HOST:PORT' &&
    wrong_seed 's/^JOIN_SECRET=.*/JOIN_SECRET=short/' 'JOIN_SECRET is 64' &&
    wrong_seed 's#^SLUICE_HSM_MODULE=.*#SLUICE_HSM_MODULE=/no/such.so#' 'the image has no /no/such.so' &&
    wrong_seed 's/^MONITORING=.*/MONITORING=1.2.3.4; drop/' 'MONITORING is a list' &&
    wrong_seed 's/^MONITORING=.*/EGRESS=1.2.3.4:5432 }; flush/' 'EGRESS is a list' || return 1
  ! grep -q 1234 "$WORK/out" || fail "a PIN was shown"
}

test_seed_settingsWithAPin_refusedBeforeAnIso() {
  local setting
  rm -rf "$WORK/invited"
  for setting in SLUICE_HSM_PIN=1234 'SLUICE_DATABASE_URL=jdbc:postgresql://db/x?password=1234' SLUICE_NODE_NAME=n0 SERVER_PORT=1234; do
    machine refused
    sed -i "/^${setting%%=*}=/d" "$WORK/settings"
    printf '%s\r\n' "$setting" >>"$WORK/settings"
    ! "$SLUICE" vm seed --desk-dir "$WORK/invited" --node n0 --desk 127.0.0.1:1 --settings "$WORK/settings" --out "$WORK/refused.iso" 2>"$WORK/err" ||
      fail "a seed with $setting" || return 1
    grep -q 'wrong seed: ' "$WORK/err" || fail "$(cat "$WORK/err")" || return 1
    ! grep -q 1234 "$WORK/err" || fail "the value was shown" || return 1
    [ ! -e "$WORK/refused.iso" ] || fail "an ISO" || return 1
    [ -z "$(ls -A "$WORK/invited/invitations")" ] || fail "an invitation" || return 1
  done
}

test_join_noDesk_saysSoInTime() {
  good_seed
  join wrong
  [ "$JOIN_STATUS" -eq 1 ] || fail "exit $JOIN_STATUS" || return 1
  grep -q 'no answer from the desk' "$WORK/out" || fail "$(cat "$WORK/out")"
}

test_join_invited_getsSealedCredentialsOnce() {
  joining_can_run || return 0
  machine n1 && seed_of n1 || return 1
  ! grep -qE '4711-pin|database-word' "$WORK/n1/etc/sluice/seed" || fail "the seed holds a secret" || return 1
  cp "$WORK/n1/etc/sluice/seed" "$WORK/seed.kept"
  cp "$WORK/n1/etc/sluice/seed" "$WORK/seed.other"
  join n1
  [ "$JOIN_STATUS" -eq 0 ] || fail "$(cat "$WORK/out") $(tail -n 1 "$WORK/desk.log")" || return 1
  local state="$WORK/n1/var/lib/sluice-join" name
  for name in hsm-pin:4711-pin database-password:database-word; do
    [ "$(SYSTEMD_CREDENTIAL_SECRET="$WORK/host.key" systemd-creds decrypt --name="${name%%:*}" "$state/${name%%:*}.cred" - 2>&1)" = "${name#*:}" ] ||
      fail "${name%%:*} is not sealed as it was given" || return 1
  done
  ! grep -rqE '4711-pin|database-word' "$WORK/desk" || fail "the desk's folder holds a secret" || return 1
  [ ! -e "$WORK/n1/var/lib/sluice-join/claim" ] || fail "the claim is still there" || return 1
  ! grep -rqE '4711-pin|database-word' "$WORK/n1" || fail "a secret lies open in $(grep -rlE '4711-pin|database-word' "$WORK/n1")" || return 1
  [ ! -e "$WORK/n1/etc/sluice/seed" ] || fail "the seed is still there" || return 1
  grep -qx 'SLUICE_DATABASE_URL="jdbc:postgresql://db.example.com/sluice"' "$WORK/n1/etc/sluice/node.env" || fail "node.env lacks the database" || return 1
  ! grep -q JOIN_ "$WORK/n1/etc/sluice/node.env" || fail "node.env mentions joining" || return 1
  [ "$(cat "$WORK/n1/etc/sluice/nftables.d/monitoring.nft")" = 'add element inet sluice monitoring4 { 192.0.2.1 }
add element inet sluice monitoring6 { 2001:db8::/64 }' ] || fail "the rules are $(cat "$WORK/n1/etc/sluice/nftables.d/monitoring.nft")" || return 1
  [ -s "$WORK/n1/var/lib/sluice-hsm/client.key" ] || fail "no client key of the HSM" || return 1
  # A copied seed.
  machine n2
  mv "$WORK/seed.other" "$WORK/n2/etc/sluice/seed"
  join n2
  expect_one_line 'was used by another machine' || return 1
  grep -q 'REFUSED 127.0.0.1: the join secret of node n1 was used' "$WORK/desk.log" || fail "the desk does not say so" || return 1
  # And the same machine, asked to join again by a disk that is still there.
  cp "$WORK/seed.kept" "$WORK/n1/etc/sluice/seed"
  join n1
  expect_one_line 'has joined as n1'
}

test_join_answerLost_sameMachineMayAskAgain() {
  joining_can_run || return 0
  machine n3 && seed_of n3 || return 1
  cp "$WORK/n3/etc/sluice/seed" "$WORK/seed.kept"
  # The desk has given, the machine has lost power before its mark: claim and seed are still there.
  od -An -N32 -tx1 /dev/urandom | tr -d ' \n' >"$WORK/n3/var/lib/sluice-join/claim"
  cp "$WORK/n3/var/lib/sluice-join/claim" "$WORK/claim.kept"
  join n3
  rm "$WORK/n3/var/lib/sluice-join/joined"
  cp "$WORK/seed.kept" "$WORK/n3/etc/sluice/seed"
  cp "$WORK/claim.kept" "$WORK/n3/var/lib/sluice-join/claim"
  join n3
  [ "$JOIN_STATUS" -eq 0 ] || fail "$(cat "$WORK/out")"
}

test_join_cutShortAfterTheMark_forgetsTheSeedAtTheNextBoot() {
  good_seed
  printf 'n0\n' >"$WORK/wrong/var/lib/sluice-join/joined"
  printf '%064d' 0 >"$WORK/wrong/var/lib/sluice-join/claim"
  join wrong
  [ "$JOIN_STATUS" -eq 0 ] || fail "$(cat "$WORK/out")" || return 1
  [ ! -e "$WORK/wrong/etc/sluice/seed" ] && [ ! -e "$WORK/wrong/var/lib/sluice-join/claim" ] || fail "seed or claim is still there" || return 1
  [ -e "$WORK/wrong/etc/cloud/cloud-init.disabled" ] || fail "cloud-init would read the next disk"
}

# Who opens a connection and says nothing, or half a greeting, must not keep machines away.
test_desk_stalledConnections_areCutOff() {
  joining_can_run || return 0
  exec 5<>"/dev/tcp/127.0.0.1/$DESK_PORT" 6<>"/dev/tcp/127.0.0.1/$DESK_PORT" || return 1
  printf '\026\003\001' >&6
  machine n7 && seed_of n7 || return 1
  JOIN_WAIT_SECONDS=40 join n7
  exec 5>&- 6>&-
  [ "$JOIN_STATUS" -eq 0 ] || fail "$(cat "$WORK/out")"
}

test_join_anotherKey_nothingIsSent() {
  joining_can_run || return 0
  machine n4 && seed_of n4 || return 1
  sed -i "s#^JOIN_KEY=.*#JOIN_KEY=sha256//$(head -c 32 /dev/zero | base64)#" "$WORK/n4/etc/sluice/seed"
  local before
  before="$(wc -l <"$WORK/desk.log")"
  join n4
  expect_one_line "another key than the seed's JOIN_KEY" || return 1
  [ "$(wc -l <"$WORK/desk.log")" -eq "$before" ] || fail "the desk was asked: $(tail -n 1 "$WORK/desk.log")"
}

test_join_expiredOrUnknownOrOfAnotherNode_refused() {
  joining_can_run || return 0
  local invitation
  machine n5 && seed_of n5 || return 1
  invitation="$WORK/desk/invitations/$(sed -n 's/^JOIN_SECRET=//p' "$WORK/n5/etc/sluice/seed" | tr -d '\n' | sha256sum | cut -c 1-64)"
  sed -i 's/^SLUICE_NODE_NAME=.*/SLUICE_NODE_NAME=n6/' "$WORK/n5/etc/sluice/seed"
  join n5
  expect_one_line 'this join secret is for node n5' || return 1
  sed -i 's/^SLUICE_NODE_NAME=.*/SLUICE_NODE_NAME=n5/' "$WORK/n5/etc/sluice/seed"
  printf 'n5\n%s\n' "$(($(date +%s) - 1))" >"$invitation"
  join n5
  expect_one_line 'has expired' || return 1
  rm "$invitation"
  join n5
  expect_one_line 'unknown join secret'
}

run_tests "$PATTERN"
