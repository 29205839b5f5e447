# shellcheck shell=bash
# Tests of what the launcher finds out before it builds or starts anything, and of its profile commands without a trial.
# Sourced by run.sh.

# TEST-NET-2 (RFC 5737) is no address of any machine.
test_up_foreignAddress_exit1BeforeTheBuild() {
  expect_exit 1 "$SLUICE" up --data "$WORK/data-bind" --bind 198.51.100.7 &&
    expect_error '--bind 198.51.100.7: no network interface of this machine has this address' &&
    [ ! -e "$WORK/data-bind/postgres" ] || return 1
  local address
  for address in 127.0.0.1 127.3.2.1 0.0.0.0 :: ::1; do
    expect_exit 0 part address_is_ours "$address" || return 1
  done
  expect_exit 1 part address_is_ours 2001:db8::1
}

test_up_address_ofIpv6_isComparedInFull() {
  expect_equal "$(part long_address 2001:DB8::a:1)" 2001:0db8:0000:0000:0000:0000:000a:0001 &&
    expect_equal "$(part long_address ::)" 0000:0000:0000:0000:0000:0000:0000:0000 &&
    expect_equal "$(part long_address 10.1.2.3)" 10.1.2.3
}

# The order of steps in `up`: what needs no build comes before it.
test_up_portBusy_isFoundBeforeTheBuild() {
  expect_equal "$(part eval '
    for step in lock_data living_nodes missing_issuers check_places prerequisites_to_run start_database stop_nodes; do eval "$step() { :; }"; done
    all_nodes_run() { false; }; jdk_version() { :; }; softhsm2-util() { :; }; build() { echo build; exit; }
    check_ports() { echo ports; }
    up --data "$DATA-order" 2>/dev/null')" $'ports\nbuild'
  rm -rf "${DATA:-$WORK/none}-order"
}

test_build_progress_namesTheStepAndEnds() {
  printf '[INFO] --- compiler:3.14.0:compile (default-compile) @ ca-core ---\n' >"$WORK/progress.log"
  part eval "show_progress '$WORK/progress.log' 1 & "'progress=$!; sleep 1.5; kill "$progress"; wait "$progress"' 2>"$WORK/err" &&
    expect_error 'building for 1 s: ca-core: compiler compile'
}

test_plan_badValues_exit2() {
  local bad
  for bad in '' 'chairs' '--hsms 3' 'table --demand x' 'table --hsms 3' 'table --cores 3' '--hsm-rate ec-p256=9 --hsms 0' '--port 1'; do
    # shellcheck disable=SC2086 # words
    expect_exit 2 "$SLUICE" plan $bad || return 1
  done
  expect_exit 2 "$SLUICE" plan --hsm chair && expect_error 'it has: azure-cloud-hsm field-2009' || return 1
  expect_exit 2 "$SLUICE" plan --hsm field-2009 --demand "$WORK/no-such" && expect_error "cannot read $WORK/no-such"
}

# What needs no service is a step of the ceremony's program.
test_profile_checkAndLint_areTheClients_andTheCeremonyHasItsOwn() {
  local none=(--data "$WORK/none")
  printf 'name: x\n' >"$WORK/web.yaml"
  expect_exit 2 "$SLUICE" profile check "${none[@]}" && expect_error 'profile check needs FILE' &&
    expect_exit 1 "$SLUICE" profile lint "${none[@]}" "$WORK/nothing" && expect_error "cannot read $WORK/nothing" &&
    expect_exit 1 "$SLUICE" profile check "${none[@]}" "$WORK/web.yaml" && expect_error 'no token in' &&
    expect_exit 2 "$SLUICE" profile check "${none[@]}" --csr f "$WORK/web.yaml" && expect_error "unknown option '--csr'" &&
    expect_exit 0 "$SLUICE" ceremony profile lint a.yaml b.yaml && grep -q '^profile lint a.yaml b.yaml ' "$SLUICE_DIST/calls"
}

test_localeC_argumentsBeyondAscii_arrive() {
  expect_exit 0 env LC_ALL=C "$SLUICE" setup --subject 'CN=Prüf-CA' && grep -q '^setup --subject CN=Prüf-CA ' "$SLUICE_DIST/calls" &&
    expect_exit 0 env LC_ALL=C "$SLUICE" ceremony root --subject 'CN=Würzel' && grep -q '^root --subject CN=Würzel ' "$SLUICE_DIST/calls"
}

# Of the package and of the client's zip: the JVM reads its arguments by LC_ALL, and hooks run in the caller's.
test_localeC_installedLaunchers_haveUtf8AndKeepTheCallers() {
  local tree="$WORK/locale" deploy word
  deploy="$(dirname "$SLUICE")/deploy"
  mkdir -p "$tree/bin" "$tree/lib/sluice/jre/bin" "$tree/zip"
  cp "$deploy/package/sluice" "$tree/bin/" && cp "$deploy/package/client/sluice" "$tree/zip/" || return 1
  # shellcheck disable=SC2016
  printf '#!/bin/sh\nprintf "%%s|%%s\\n" "$LC_ALL" "$SLUICE_CALLER_LC_ALL"\n' >"$tree/lib/sluice/jre/bin/java"
  chmod +x "$tree/lib/sluice/jre/bin/java"
  for word in setup ceremony expiry; do
    expect_exit 0 env LC_ALL=C sh "$tree/bin/sluice" "$word" && expect_output 'C.UTF-8|C' || return 1
  done
  expect_exit 0 env -u LC_ALL sh "$tree/bin/sluice" expiry && expect_equal "$(cat "$WORK/out")" 'C.UTF-8|' &&
    expect_exit 0 env LC_ALL=C JAVA_HOME="$tree/lib/sluice/jre" sh "$tree/zip/sluice" expiry && expect_output 'C.UTF-8|C'
}

test_setup_isGivenItsOptionsAsTheyAre() {
  expect_exit 0 "$SLUICE" setup --check --config-dir 'a b' && grep -q '^setup --check --config-dir a b ' "$SLUICE_DIST/calls"
}

test_profile_badArguments_exit2() {
  local none=(--data "$WORK/none")
  expect_exit 2 "$SLUICE" profile add "${none[@]}" && expect_error 'profile add needs FILE' &&
    expect_exit 1 "$SLUICE" profile add "${none[@]}" "$WORK/nothing" && expect_error "cannot read $WORK/nothing" &&
    expect_exit 2 "$SLUICE" profile activate "${none[@]}" tls-server && expect_exit 2 "$SLUICE" profile activate "${none[@]}" ../x 2 &&
    expect_exit 2 "$SLUICE" profile activate "${none[@]}" tls-server '2}' &&
    expect_exit 2 "$SLUICE" profile file "${none[@]}" && expect_exit 2 "$SLUICE" profile versions "${none[@]}" A &&
    expect_exit 1 "$SLUICE" profile versions "${none[@]}" tls-server && expect_error 'no token in'
}
