#!/usr/bin/env bash
# Tests of the launcher, with a stand-in for the service: real PostgreSQL, real SoftHSM tokens, real
# processes and signals. Each test is a function test_command_condition_result; a test fails when a
# command in it fails. `run.sh PATTERN` runs the tests whose names match.
set -uo pipefail

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
SLUICE="$(readlink -f "$HERE/../../../sluice")"
PATTERN="${1:-.}"
WORK="$(mktemp -d)"
PASSED=0
FAILED=0
SKIPPED=0

# Nothing of the caller's settings may reach the tests.
for variable in $(compgen -e SLUICE_ || true); do
  unset "$variable"
done
export SLUICE_DIST="$WORK/dist" SLUICE_CONFIG="$WORK/sluice.yaml"

finish() {
  local directory
  for directory in "$WORK"/data*; do
    [ ! -d "$directory" ] || "$SLUICE" down --data "$directory" >/dev/null 2>&1
  done
  rm -rf "$WORK"
}
trap finish EXIT
trap 'exit 1' INT TERM

# --- What tests say -------------------------------------------------------------------------------

skip() { SKIPPED=$((SKIPPED + 1)); printf '    skipped: %s\n' "$*"; }
fail() { printf '    %s\n' "$*" >&2; return 1; }

# expect_exit CODE COMMAND…: runs it; output in $WORK/out and $WORK/err.
expect_exit() {
  local expected="$1" status=0
  shift
  "$@" >"$WORK/out" 2>"$WORK/err" </dev/null || status=$?
  [ "$status" -eq "$expected" ] || fail "exit $status, not $expected: $* ($(tail -n 2 "$WORK/err" | tr '\n' ' '))"
}

expect_error() { grep -qF -- "$1" "$WORK/err" || fail "stderr lacks '$1': $(tail -n 3 "$WORK/err")"; }
expect_output() { grep -qF -- "$1" "$WORK/out" || fail "stdout lacks '$1': $(head -n 3 "$WORK/out")"; }
expect_equal() { [ "$1" = "$2" ] || fail "'$1' is not '$2'"; }
expect_mode() { expect_equal "$(stat -c %a "$2")" "$1"; }
expect_lives() { [ -d "/proc/$1" ] && [ "$(sed 's/.*) //; s/ .*//' "/proc/$1/stat")" != Z ] || fail "process $1 has ended"; }
expect_ended() {
  local deadline=$((SECONDS + 60))
  while [ -d "/proc/$1" ] && [ "$(sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null)" != Z ]; do
    ((SECONDS < deadline)) || { fail "process $1 lives"; return 1; }
    sleep 0.1
  done
}
await() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < deadline)) || { fail "not in time: $*"; return 1; }
    sleep 0.1
  done
}

postmaster() { head -n 1 "$1/postgres/data/postmaster.pid"; }

# --- Fixture ----------------------------------------------------------------------------------------

# One of the launcher's own functions, in a shell of its own: part FUNCTION ARGUMENTS….
part() {
  SLUICE_ROOT="$(dirname "$SLUICE")" DATA="${DATA:-$WORK/none}" bash -c '
    set -euo pipefail
    for part in common options process prerequisites build postgres softhsm ceremony nodes training up client status peers day audit drill suite; do
      source "$SLUICE_ROOT/deploy/local/$part.sh"
    done
    OPTION[data]="$DATA"
    "$@"' part "$@"
}

# What a command finds out before it builds or starts anything.
# shellcheck source=/dev/null
source "$HERE/checks.sh"
# shellcheck source=/dev/null
source "$HERE/options.sh"
# shellcheck source=/dev/null
source "$HERE/training.sh"

# The client is the real one.
built_client() {
  SLUICE_DIST='' part build && cp "$(dirname "$SLUICE")"/ca-api/target/dist/sluice.* "$SLUICE_DIST"
}

make_stand_in() {
  local java_home
  java_home="$(part find_jdk)" || return 1
  export JAVA_HOME="$java_home"
  mkdir -p "$WORK/classes" "$SLUICE_DIST"
  "$JAVA_HOME/bin/javac" -d "$WORK/classes" "$HERE"/stand-in/*.java "$HERE"/stand-in/org/sluiceca/api/cli/*/*.java &&
    "$JAVA_HOME/bin/jar" --create --file "$SLUICE_DIST/ca-api.jar" --main-class StandIn -C "$WORK/classes" . &&
    built_client &&
    "$JAVA_HOME/bin/keytool" -genkeypair -keyalg EC -groupname secp256r1 -dname CN=localhost -ext san=dns:localhost \
      -validity 2 -keystore "$SLUICE_DIST/tls.p12" -storepass stand-in -alias tls 2>/dev/null &&
    "$JAVA_HOME/bin/keytool" -exportcert -rfc -keystore "$SLUICE_DIST/tls.p12" -storepass stand-in -alias tls \
      >"$SLUICE_DIST/tls.pem" 2>/dev/null
  : >"$SLUICE_CONFIG"
  # A stand-in issues no certificate under which a cache could be trained: training.sh has tests of its own.
  : >"$SLUICE_DIST/ca-api.aot.failed"
  printf 'a request\n' >"$WORK/request.csr"
}

# Three ranges of ports that no process listens on; another test run may use others.
choose_ports() {
  local base port busy
  while true; do
    base=$((15000 + RANDOM % 400 * 10))
    busy=''
    for port in $(seq "$base" $((base + 9))); do
      ! part port_is_busy "$port" || busy=yes
    done
    [ -n "$busy" ] || break
  done
  PORT=$base
  PORTS=(--port "$base" --http-port $((base + 3)) --management-port $((base + 6)))
}

# --- Usage: nothing is touched ------------------------------------------------------------------------

test_usage_unknownOptionOrCommand_exit2() {
  expect_exit 2 "$SLUICE" up --no-such-option 1 && expect_error "unknown option '--no-such-option'" &&
    expect_exit 2 "$SLUICE" frobnicate && expect_error "unknown command" &&
    expect_exit 2 "$SLUICE" && expect_exit 2 "$SLUICE" up stray && expect_exit 2 "$SLUICE" up --port
}

test_usage_help_exit0() {
  expect_exit 0 "$SLUICE" --help && expect_output './sluice up' && expect_exit 0 "$SLUICE" up --help
}

test_audit_verify_takesKeyAndExportsUnlessNamed() {
  mkdir -p "$WORK/audited/node-0/audit" && printf 'x\n' >"$WORK/audited/audit.pem"
  expect_exit 0 "$SLUICE" audit verify --data "$WORK/audited" --database-url u &&
    expect_equal "$(cat "$WORK/out")" \
      "called: verify --database-url u --key $WORK/audited/audit.pem --checkpoints $WORK/audited/node-0/audit" &&
    expect_exit 0 "$SLUICE" audit verify --key=k --checkpoints c --database-url=u --data="$WORK/audited" &&
    expect_equal "$(cat "$WORK/out")" 'called: verify --key=k --checkpoints c --database-url=u'
}

test_audit_withoutADatabase_isTheClients() {
  expect_exit 0 "$SLUICE" audit --help && expect_output 'sluice audit' && expect_exit 0 "$SLUICE" audit verify --help && expect_output 'FILE...' &&
    expect_exit 1 "$SLUICE" audit verify --checkpoints "$WORK" "$WORK/no-export" && expect_error "sluice: $WORK has no file" &&
    expect_exit 1 "$SLUICE" audit export --url https://127.0.0.1:1 --token-file "$SLUICE" --ca-file "$SLUICE" && expect_error 'sluice: '
}

test_audit_exitCode_isTheProgramsOwn() {
  expect_exit 1 "$SLUICE" audit export --database-url u --from t && expect_output 'called: export --database-url u --from t' &&
    expect_exit 2 "$SLUICE" audit && expect_exit 2 "$SLUICE" audit frobnicate && expect_exit 2 "$SLUICE" audit verify --data &&
    expect_exit 1 "$SLUICE" audit verify --data "$WORK/none" && expect_error 'no trial in'
}

test_up_badValues_exit2() {
  local bad
  for bad in '--port 0' '--port 65536' '--port x' '--nodes 0' '--nodes 65' '--node-heap 96' '--bind example.com' \
    '--issuer-key rsa-1024' '--more-issuers rsa' '--more-issuers a=rsa-4096,a=rsa-2048' '--more-issuers issuing=rsa-2048' \
    '--more-issuers a=rsa-1024' '--public-url ftp://x' '--service-url http://x' '--service-url https://x/y' '--acme-http-port 0' '--acme-resolver ns.example:53' '--management-address 0.0.0.0' '--detach=maybe' \
    '--pkcs11-module /bin/sh' '--token-label x' '--database-url mysql://x' '--database-password-file /etc/hostname' \
    '--database-url jdbc:postgresql://h/d' '--database-migration-user u' \
    '--database-url jdbc:postgresql://h/d --database-password-file /etc/hostname --database-migration-user u' '--port 8080' '--nodes 101' '--port=' '--nodes 2 --port 8081'; do
    # shellcheck disable=SC2086 # words
    expect_exit 2 "$SLUICE" up --data "$WORK/untouched" $bad || return 1
  done
  [ ! -e "$WORK/untouched" ] || fail "bad usage made a directory"
}

test_load_badValues_exit2() {
  local bad
  for bad in '' 'no-such-plan' 'curve fairness' 'curve --nodes 0' 'curve --nodes 31' 'curve --rate x' 'curve --crowd 201' \
    'curve --seconds 601' 'curve --port 8443' 'curve --clients 5' 'steady --crowd 5' 'steady --seconds 601' 'soak --seconds 59' \
    'burst --clients 0' 'steady --connections some' 'steady --credentials none' 'steady --when-refused cry' 'soak --resume /etc' \
    'steady smoke' 'nodes x' 'nodes --nodes 4' 'nodes --nodes 1,2,2' 'nodes --nodes 1,31' 'nodes --nodes 0,1' 'nodes --crowd 5' \
    'nodes --rate x' 'nodes --seconds 601'; do
    # shellcheck disable=SC2086 # words
    expect_exit 2 "$SLUICE" load $bad || return 1
  done
}

# soak_of OUT CODE: CODE with the parts of a soak in OUT.
soak_of() {
  # shellcheck disable=SC2016 # expanded in the inner shell
  part eval 'source "$SLUICE_ROOT/deploy/local/load.sh"; source "$SLUICE_ROOT/deploy/local/scenario.sh"; OPTION[out]="'"$1"'"
    LOAD_WORK="${OPTION[out]}/work"; LOAD_PLAN="$LOAD_PLANS/soak.properties"; '"$2"
}

test_soak_interrupted_isOverByResultsOfItsOwnAlone() {
  local out="$WORK/soak"
  mkdir -p "$out/work" && touch -d '1 hour ago' "$out/results.json" && touch "$out/work/soak.properties" &&
    soak_of "$out" load_scenario_is_over && mkdir "$out/work/sitting-0" || return 1
  ! soak_of "$out" load_scenario_is_over || fail 'older results end a run' || return 1
  touch -d '1 hour' "$out/results.json" && soak_of "$out" load_scenario_is_over
}

test_soak_resumed_hasItsHeapAndNoHalfMadeKeys() {
  local out="$WORK/soak-heap"
  mkdir -p "$out"
  soak_of "$out" 'OPTION[node-heap]=128m; load_scenario_folder' && mkdir -p "$out/work/hsm" &&
    expect_equal "$(soak_of "$out" 'CHOSEN[resume]=1; load_scenario_folder; echo "${OPTION[node-heap]}"')" 128m && [ ! -e "$out/work/hsm" ]
}

test_loadDay_badValues_exit2() {
  local bad
  mkdir -p "$WORK/begun/work"
  for bad in 'x' '--certificates 999' '--certificates 100000001' '--certificates 2e7' '--marks 999' '--marks 1000,' '--marks 1000,x' \
    '--nodes 0' '--nodes 9' '--rate 0' '--rate x' '--hours 0' '--hours 0.0' '--hours 21' '--hours -1' '--hours 1h' '--seconds 5' \
    '--clients 5' '--resume /etc' "--resume $WORK/begun"; do
    # shellcheck disable=SC2086 # words
    expect_exit 2 "$SLUICE" load day $bad || return 1
  done
  printf '{"certificates":5000,"marks":[1000,5000],"nodes":1,"rate":0}' >"$WORK/begun/work/day.json"
  expect_exit 2 "$SLUICE" load day --out "$WORK/begun" && expect_error 'has a run that is not over' || return 1
  for bad in '--certificates 5000' '--marks 2000' '--nodes 1' '--rate 5' "--out $WORK/other"; do
    # shellcheck disable=SC2086 # words
    expect_exit 2 "$SLUICE" load day --resume "$WORK/begun" $bad && expect_error 'as the run was begun' || return 1
  done
}

test_loadDay_noRoom_saysHowMuch() {
  expect_exit 1 part day_require_room 9000000000 "$WORK" && expect_error 'certificates need some 252' &&
    expect_error 'GB are free'
}

test_bench_badValues_exit2() {
  local bad
  for bad in 'frobnicate' '--issuer-key rsa-1024' '--issuer-key rsa-2048 --data x' '--only sluice' '--connections 0' '--seconds 0' \
    'peers frobnicate' 'peers --only ejbca' 'peers --only sluice,' 'peers --rounds 0' 'peers --rounds 10' 'peers --requests 9999' \
    'peers --seconds x' 'peers --data x' 'peers --only=' 'machine x' 'machine --connections 16,64' 'machine --seconds 0' \
    'acme frobnicate' 'acme --only cfssl' 'acme --only sluice,' 'acme --rounds 0' 'acme --connections 16,64' 'acme --connections 65' 'acme --data x' \
    'idle frobnicate' 'idle --only cfssl' 'idle --rates 1000' 'idle --rates 2,2' 'idle --rates 2,' 'idle --minutes 0' 'idle --minutes 101' 'idle --rates 999 --minutes 60' 'idle --after 1m' 'idle --after 0.09'; do
    # shellcheck disable=SC2086 # words
    expect_exit 2 "$SLUICE" bench $bad || return 1
  done
}

test_interrupted_whatRunsLong_endsToo() {
  local launcher child
  part eval "echo \$\$ >'$WORK/launcher'; run_long - sleep 97" &
  await 20 test -s "$WORK/launcher" || return 1
  launcher="$(cat "$WORK/launcher")"
  await 20 pgrep -P "$launcher" -x sleep || return 1
  child="$(pgrep -P "$launcher" -x sleep)"
  # Not SIGINT, which what runs in the background of this test cannot hear.
  kill -s TERM "$launcher"
  expect_ended "$launcher" && expect_ended "$child" || { kill "$child"; return 1; }
}

test_peers_rounds_eachIsTheFirstInItsTurn() {
  # shellcheck disable=SC2016 # expanded in the inner shell
  expect_equal "$(part eval 'source "$SLUICE_ROOT/deploy/local/bench-cas.sh"; CHOSEN_PEERS=(a b c); for round in 1 2 3 4; do bench_cas_order $round; done')" \
    'a b c b c a c a b a b c '
}

test_peers_versions_areTheModulesOwn() {
  expect_equal "$(part peer_version step-ca)" v0.30.2 && [[ "$(part peer_version cfssl)" =~ ^v1\.[0-9]+\.[0-9]+$ ]]
}

test_peers_goTooOld_exit3() {
  mkdir -p "$WORK/old-go"
  printf '#!/bin/sh\necho go1.19.8\n' >"$WORK/old-go/go"
  chmod +x "$WORK/old-go/go"
  PATH="$WORK/old-go:$PATH" expect_exit 3 part require_go && expect_error 'this is go1.19.8'
}

test_up_passwordInUrl_refusedWithoutEcho() {
  expect_exit 2 "$SLUICE" up --data "$WORK/untouched" --database-url 'jdbc:postgresql://h/d?Password=hunter2' &&
    expect_error 'must not hold a password' && ! grep -q hunter2 "$WORK/err"
}

test_options_precedence_commandLineThenEnvironmentThenFile() {
  printf '# comment\nport: 1111   # trailing\nhttp-port: "2222"\nnodes: 3\n' >"$WORK/options.yaml"
  local shown
  # shellcheck disable=SC2016 # expanded in the inner shell
  shown="$(SLUICE_CONFIG="$WORK/options.yaml" SLUICE_HTTP_PORT=3333 SLUICE_NODES=4 part eval \
    'parse_options "$UP_OPTIONS" --nodes 5; echo "${OPTION[port]} ${OPTION[http-port]} ${OPTION[nodes]} ${OPTION[bind]}"')"
  expect_equal "$shown" '1111 3333 5 127.0.0.1'
}

test_options_unknownKeyInFile_exit2() {
  printf 'ports: 1\n' >"$WORK/options.yaml"
  SLUICE_CONFIG="$WORK/options.yaml" expect_exit 2 "$SLUICE" up && expect_error "options.yaml:1: unknown key 'ports'" || return 1
  printf 'port\n' >"$WORK/options.yaml"
  SLUICE_CONFIG="$WORK/options.yaml" expect_exit 2 "$SLUICE" up && expect_error "is not 'key: value'"
}

test_client_badArguments_exit2() {
  local none=(--data "$WORK/none")
  expect_exit 2 "$SLUICE" enroll "${none[@]}" --csr "$WORK/request.csr" &&
    expect_exit 2 "$SLUICE" enroll "${none[@]}" --profile 'a&b' --csr "$WORK/request.csr" &&
    expect_exit 1 "$SLUICE" enroll "${none[@]}" --profile p --csr "$WORK/request.csr" && expect_error 'no token in' &&
    expect_exit 2 "$SLUICE" get "${none[@]}" ../../admin && expect_exit 2 "$SLUICE" get "${none[@]}" &&
    expect_exit 2 "$SLUICE" revoke "${none[@]}" 2a && expect_exit 2 "$SLUICE" revoke "${none[@]}" 2a --reason 'a"b'
}

test_revokeAll_badArguments_exit2() {
  local none=(--data "$WORK/none" --reason keyCompromise)
  expect_exit 2 "$SLUICE" revoke-all "${none[@]}" && expect_error 'needs --requester, --profile or --issuer' &&
    expect_exit 2 "$SLUICE" revoke-all "${none[@]}" --issued-after 2026-01-31T12:00:00Z &&
    expect_exit 2 "$SLUICE" revoke-all "${none[@]}" --requester 'a"b' && expect_exit 2 "$SLUICE" revoke-all "${none[@]}" --requester= &&
    expect_exit 2 "$SLUICE" revoke-all "${none[@]}" --requester r --confirm all &&
    expect_exit 2 "$SLUICE" revoke-all "${none[@]}" --requester r --issued-before yesterday &&
    expect_exit 2 "$SLUICE" revoke-all "${none[@]}" r --requester r &&
    expect_exit 2 "$SLUICE" revoke-all --data "$WORK/none" --requester r &&
    expect_exit 1 "$SLUICE" revoke-all "${none[@]}" --requester r && expect_error 'no token in'
}

test_approval_badArguments_exit2() {
  local none=(--data "$WORK/none") id=00000000-0000-4000-8000-000000000000
  expect_exit 2 "$SLUICE" approval && expect_error 'sluice approval needs one of: list' &&
    expect_exit 2 "$SLUICE" approval give "${none[@]}" "$id" && expect_exit 2 "$SLUICE" approval show "${none[@]}" &&
    expect_exit 2 "$SLUICE" approval show "${none[@]}" ../x && expect_exit 2 "$SLUICE" approval approve "${none[@]}" "$id" &&
    expect_exit 2 "$SLUICE" approval refuse "${none[@]}" "$id" abc &&
    expect_exit 1 "$SLUICE" approval list "${none[@]}" && expect_error 'no token in'
}

test_client_certificate_badArguments_refused() {
  local none=(--data "$WORK/none")
  printf 'x\n' >"$WORK/own.pem"
  expect_exit 2 "$SLUICE" get 2a "${none[@]}" --client-cert "$WORK/own.pem" && expect_error 'belong together' &&
    expect_exit 2 "$SLUICE" get 2a "${none[@]}" --client-key "$WORK/own.pem" && expect_error 'belong together' &&
    expect_exit 2 "$SLUICE" get 2a "${none[@]}" --client-cert "$WORK/own.pem" --client-key "$WORK/own.pem" --token-file "$WORK/own.pem" &&
    expect_error 'which one?' &&
    expect_exit 1 "$SLUICE" get 2a "${none[@]}" --client-cert "$WORK/own.pem" --client-key "$WORK/missing" && expect_error '--client-key: cannot read'
}

test_issuer_badArguments_exit2() {
  local none=(--data "$WORK/none")
  printf 'no certificate\n' >"$WORK/none.pem"
  printf -- '-----BEGIN CERTIFICATE-----\nMIIB","x":"\n-----END CERTIFICATE-----\n' >"$WORK/odd.pem"
  expect_exit 2 "$SLUICE" issuer && expect_error 'sluice issuer needs one of: list' && expect_exit 2 "$SLUICE" issuer make "${none[@]}" x &&
    expect_exit 2 "$SLUICE" issuer list "${none[@]}" x && expect_exit 2 "$SLUICE" issuer retire "${none[@]}" &&
    expect_exit 2 "$SLUICE" issuer retire "${none[@]}" ../x && expect_exit 2 "$SLUICE" issuer install "${none[@]}" second &&
    expect_exit 1 "$SLUICE" issuer renew "${none[@]}" second "$WORK/missing.pem" && expect_error 'cannot read' &&
    expect_exit 1 "$SLUICE" issuer install "${none[@]}" second "$WORK/none.pem" && expect_error 'holds no certificate' &&
    expect_exit 1 "$SLUICE" issuer install "${none[@]}" second "$WORK/odd.pem" && expect_error 'that cannot be read' &&
    expect_exit 1 "$SLUICE" issuer retire "${none[@]}" second && expect_error 'no token in'
}

test_find_badArguments_exit2() {
  local none=(--data "$WORK/none")
  expect_exit 2 "$SLUICE" find "${none[@]}" www && expect_exit 2 "$SLUICE" find "${none[@]}" --status bad &&
    expect_exit 2 "$SLUICE" find "${none[@]}" --expires-within 0 && expect_exit 2 "$SLUICE" find "${none[@]}" --serial x &&
    expect_exit 1 "$SLUICE" find "${none[@]}" && expect_error 'no token in'
}

test_client_plainHttpOrBadToken_refused() {
  printf 'token" \nurl = "x\n' >"$WORK/bad.token"
  expect_exit 2 "$SLUICE" get 2a --data "$WORK/none" --url http://localhost:1 --token-file "$WORK/bad.token" &&
    expect_exit 1 "$SLUICE" get 2a --data "$WORK/none" --token-file "$WORK/bad.token" && expect_error 'does not hold a bearer token'
}

test_prerequisites_toolMissingWithoutRoot_exit3WithCommand() {
  # shellcheck disable=SC2016 # expanded in the inner shell
  expect_exit 3 part eval 'is_root() { false; }; have() { [ "$1" = apt-get ]; }; require_tools softhsm2-util:softhsm2 xz:xz-utils' &&
    expect_error 'sudo apt-get update && sudo apt-get install -y --no-install-recommends softhsm2 xz-utils'
}

test_prerequisites_noJdk_exit3() {
  expect_exit 3 part eval 'find_jdk() { false; }; have() { false; }; require_jdk' && expect_error 'JDK 25 not found'
}

test_jdk_olderRelease_refused() {
  mkdir -p "$WORK/jdk17/bin"
  printf 'JAVA_VERSION="17.0.15"\n' >"$WORK/jdk17/release"
  printf '#!/bin/sh\n' | tee "$WORK/jdk17/bin/java" >"$WORK/jdk17/bin/javac"
  chmod +x "$WORK"/jdk17/bin/*
  ! part is_jdk "$WORK/jdk17" || return 1
  printf 'JAVA_VERSION="25"\n' >"$WORK/jdk17/release"
  part is_jdk "$WORK/jdk17"
}

test_process_foreignPidOrMark_notOurs() {
  SLUICE_STATE_DIR=/x/node-1 sleep 120 &
  local pid=$! result=0
  await 60 part process_is "$pid" SLUICE_STATE_DIR=/x/node-1 || result=1
  ! part process_is "$pid" SLUICE_STATE_DIR=/x/node-11 || result=1
  ! part process_is "$$" SLUICE_STATE_DIR=/x/node-1 || result=1
  ! part process_is 'x; id' SLUICE_STATE_DIR=/x/node-1 || result=1
  kill "$pid"
  return "$result"
}

# --- One trial, step by step: the order of these tests matters ------------------------------------------

D="$WORK/data of one"

test_up_fresh_readyLineAndFiles() {
  choose_ports
  expect_exit 0 "$SLUICE" up --data "$D" "${PORTS[@]}" --nodes 2 --detach || return 1
  expect_equal "$(grep -c '^ready' "$WORK/out")" 1 &&
    expect_equal "$(head -n 1 "$WORK/out")" "ready 2 node(s) https://localhost:$PORT data=$D" || return 1
  local file
  for file in admin.token enroll.token root.pem chain.pem node-0.log node-0.pid node-1.log node-1.pid; do
    [ -s "$D/$file" ] || { fail "no $file"; return 1; }
  done
  expect_mode 600 "$D/enroll.token" && expect_mode 600 "$D/secrets/root.pin" && expect_mode 700 "$D/secrets" &&
    expect_mode 700 "$D" && expect_lives "$(cat "$D/node-1.pid")" && expect_lives "$(postmaster "$D")"
}

test_tokens_rootAndIssuing_apart() {
  local root issuing
  root="$(SOFTHSM2_CONF="$D/softhsm/root/softhsm2.conf" softhsm2-util --show-slots)"
  issuing="$(SOFTHSM2_CONF="$D/softhsm/issuing/softhsm2.conf" softhsm2-util --show-slots)"
  [[ "$root" == *sluice-root* && "$root" != *sluice-issuing* && "$issuing" == *sluice-issuing* ]] || fail "wrong tokens" || return 1
  ! cmp -s "$D/secrets/root.pin" "$D/secrets/issuing.pin" || fail "one PIN for both tokens" || return 1
  # The PIN in the file is the token's: an import with it gets past the login, with another it does not.
  openssl genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$WORK/rsa.pem" 2>/dev/null ||
    openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$WORK/rsa.pem" 2>/dev/null
  import_into_root "$(cat "$D/secrets/root.pin")" && ! import_into_root "$(cat "$D/secrets/issuing.pin")"
}

import_into_root() {
  SOFTHSM2_CONF="$D/softhsm/root/softhsm2.conf" softhsm2-util --import "$WORK/rsa.pem" --token sluice-root --label x \
    --id "$(od -An -N2 -tx1 /dev/urandom | tr -d ' ')" --pin "$1" >/dev/null 2>&1
}

test_node_environment_noSecretsNoRootToken() {
  local words pin
  words="$(tr '\0' '\n' <"/proc/$(cat "$D/node-1.pid")/environ")"
  grep -qx "SERVER_PORT=$((PORT + 1))" <<<"$words" && grep -qx "SOFTHSM2_CONF=$D/softhsm/issuing/softhsm2.conf" <<<"$words" &&
    grep -qx "SLUICE_PUBLIC_URL=http://localhost:$((PORT + 3))" <<<"$words" &&
    grep -qx "SLUICE_SERVICE_URL=https://localhost:$PORT" <<<"$words" || fail "environment: $words" || return 1
  for pin in "$D"/secrets/*; do
    ! grep -qF "$(cat "$pin")" <<<"$words" || fail "a secret in the environment: $pin" || return 1
  done
}

test_up_lockHeld_exit1() {
  (
    exec 9<>"$D/.lock"
    flock 9
    exec sleep 120
  ) &
  local holder=$! result=0
  await 60 part eval 'exec 7<>"'"$D"'/.lock"; ! flock -n 7'
  expect_exit 1 "$SLUICE" up --data "$D" "${PORTS[@]}" --nodes 2 --detach && expect_error 'another ./sluice is working on' || result=1
  kill "$holder"
  wait "$holder" 2>/dev/null
  return "$result"
}

test_up_fresh_measuresTheTokenBeforeAnyNodeAndTellsNodesHowManyTheyAre() {
  expect_equal "$(grep -c '^calibrate --if-missing .*--token-label sluice-issuing .*/issuing/softhsm2.conf$' "$SLUICE_DIST/calls")" 1 &&
    tr '\0' '\n' <"/proc/$(cat "$D/node-0.pid")/environ" | grep -qx 'SLUICE_HSM_NODES_MAX=2' || fail "$(cat "$SLUICE_DIST/calls")"
}

test_ceremony_moreIssuers_eachGetsItsKeyAndCertificateOnce() {
  mkdir -p "$WORK/hierarchy"
  printf 'x\n' | tee "$WORK/hierarchy/admin.token" "$WORK/hierarchy/acme-eab.json" >"$WORK/hierarchy/enroll.token"
  local part
  # shellcheck disable=SC2016 # expanded in the inner shell
  for part in first again; do
    DATA="$WORK/hierarchy" expect_exit 0 part eval 'TOKEN_MODULE=m TOKEN_LABEL=l TOKEN_PIN_FILE=p SOFTHSM_MODULE=s
      TOKEN_ENVIRONMENT=() DATABASE_OPTIONS=() OPTION[more-issuers]=slow=rsa-4096,odd=ed25519
      try_ceremony_step() { printf "%s\n" "$*"; local word; for word; do case "$word" in *.csr | *.pem | *.crl) echo x >"$word" ;; esac; done; }
      validate_more_issuers; ceremony' || return 1
    [ "$part" = again ] || cp "$WORK/out" "$WORK/hierarchy.first"
  done
  expect_equal "$(cut -d ' ' -f 1-3 "$WORK/hierarchy.first" | grep -c -- '^issuing-key --name \(issuing\|slow\|odd\)$')" 3 &&
    grep -q -- '^issuing-key --name slow .*--key-algorithm rsa-4096 ' "$WORK/hierarchy.first" &&
    grep -q -- '^root .*ceremony/odd.csr ' "$WORK/hierarchy.first" &&
    grep -q -- '^install .*ceremony/odd.pem .*--name odd .*chain-odd.pem' "$WORK/hierarchy.first" &&
    expect_equal "$(cat "$WORK/out")" ''
}

# Nodes with a file know its tokens by their names; no node then uses the ceremony's token.
test_calibrate_tokensFile_measuresItsTokens() {
  mkdir -p "$WORK/trial/ceremony"
  # shellcheck disable=SC2016 # expanded in the inner shell
  DATA="$WORK/trial" expect_exit 0 part eval 'TOKEN_MODULE=m TOKEN_LABEL=l TOKEN_PIN_FILE=p DATABASE_OPTIONS=(--database-url u)
    try_ceremony_step() { printf "%s\n" "$*"; printf "token one\ntoken two\n" >"$DATA/ceremony/calibrate.log"; }
    calibrate_token; calibrate_token
    cd "$DATA"; echo a >t.yaml; OPTION[tokens-file]=t.yaml; calibrate_token; calibrate_token
    echo b >t.yaml; OPTION[recalibrate]=true; calibrate_token' &&
    expect_output 'calibrate --if-missing --module m --token-label l --pin-file p --database-url u' &&
    expect_output 'calibrate --if-missing --tokens-file t.yaml --database-url u' &&
    expect_output 'calibrate --tokens-file t.yaml --database-url u' &&
    expect_equal "$(grep -c '^calibrate' "$WORK/out")" 3 &&
    expect_error 'token one' && expect_error 'token two'
}

test_up_recalibrateWhileNodesRun_exit1() {
  expect_exit 1 "$SLUICE" up --data "$D" "${PORTS[@]}" --nodes 2 --recalibrate && expect_error 'stop the nodes'
}

test_up_running_sameReadyLineSameProcesses() {
  local pids
  pids="$(cat "$D"/node-*.pid)"
  expect_exit 0 "$SLUICE" up --data "$D" "${PORTS[@]}" --detach &&
    expect_equal "$(head -n 1 "$WORK/out")" "ready 2 node(s) https://localhost:$PORT data=$D" &&
    expect_equal "$(cat "$D"/node-*.pid)" "$pids"
}

test_up_runningWithOtherPort_exit1() {
  expect_exit 1 "$SLUICE" up --data "$D" --port 19999 --detach && expect_error "run with --port $PORT"
}

# The last step is the first that starts a job: the stand-in counts them.
test_revokeAll_onlyWhatACountHasShown_revokes() {
  local all=("$SLUICE" revoke-all --data "$D" --reason keyCompromise) confirmation
  confirmation="$(printf '0a%.0s' {1..32})"
  expect_exit 0 "${all[@]}" --requester r-1 --dry-run && expect_output '3 would be revoked, 1 on hold stay so' &&
    expect_output 'Profile tls-server: 3' && expect_output 'Requester count: 9' &&
    expect_error "the same with --confirm $confirmation" &&
    expect_exit 0 "${all[@]}" --requester r-1 --dry-run --confirm "$confirmation" && ! grep -q 'started as job' "$WORK/err" &&
    expect_exit 1 "${all[@]}" --requester r-1 && expect_error 'nothing was revoked' &&
    expect_exit 1 "${all[@]}" --requester r-1 --confirm "${confirmation//0a/0b}" &&
    expect_exit 0 "${all[@]}" --requester unknown && expect_error 'nothing to revoke' &&
    expect_exit 1 "${all[@]}" --requester r-1 --confirm "$confirmation" --token-file "$D/enroll.token" && expect_error 'sluice: 403 Forbidden' &&
    expect_exit 0 "${all[@]}" --profile p --issuer i --issued-after 2026-01-31T12:00:00Z --confirm "$confirmation" &&
    expect_error 'revoked 2 (keyCompromise), 1 others'
}

der() { openssl x509 -in "$1" -outform DER | sha256sum; }

test_enroll_answers_certificateRetriesOrdersProblems() {
  local enroll=("$SLUICE" enroll --data "$D" --csr "$WORK/request.csr" --out "$WORK/out.pem" --profile)
  expect_exit 0 "${enroll[@]}" tls-server && expect_equal "$(der "$WORK/out.pem")" "$(der "$SLUICE_DIST/tls.pem")" && expect_error 'issued 01' &&
    expect_exit 0 "${enroll[@]}" busy && expect_error 'the server is busy (503)' &&
    expect_exit 0 "${enroll[@]}" away && expect_error 'The database does not answer (503): again in 1 s' &&
    expect_exit 0 "${enroll[@]}" slow && expect_error 'accepted as order 01' &&
    expect_exit 1 "${enroll[@]}" refused && expect_error 'sluice: 422 Weak key: RSA-1024 is "too short"' &&
    expect_exit 1 "${enroll[@]}" full --wait 5 && expect_error 'sluice: 429 Quota: 20 requests a minute' &&
    expect_exit 0 "$SLUICE" get --data "$D" 01:2A && expect_output 'BEGIN CERTIFICATE' &&
    printf 'other-token\n' >"$WORK/other.token" &&
    expect_exit 1 "$SLUICE" get --data "$D" --token-file "$WORK/other.token" 2a && expect_error 'sluice: 401 Unauthorized' &&
    expect_exit 1 env SLUICE_URL=https://localhost:1 "$SLUICE" get --data "$D" 2a && expect_error 'nothing answers at https://localhost:1:' &&
    expect_exit 2 env SLUICE_URL=http://localhost:1 "$SLUICE" find --data "$D" && expect_error 'SLUICE_URL' &&
    expect_exit 1 "$SLUICE" get --data "$D" --url https://localhost:1 2a && expect_error 'nothing answers at' &&
    expect_exit 1 "$SLUICE" get --data "$D" --ca-file "$WORK/request.csr" 2a
}

# Of a colon in the path curl would take what follows for a password. With a certificate, no token is sent.
test_client_certificate_provesInsteadOfTheToken() {
  mkdir -p "$WORK/a:b"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=bob -keyout "$WORK/a:b/key.pem" -out "$WORK/a:b/own.pem" 2>/dev/null &&
    expect_exit 0 "$SLUICE" approval list --data "$D" --client-cert "$WORK/a:b/own.pem" --client-key "$WORK/a:b/key.pem" &&
    expect_output 'x       pending  null CN=bob' &&
    expect_exit 0 "$SLUICE" approval list --data "$D" && expect_output 'x       pending  Bearer admin-token no-certificate'
}

test_find_running_followsPagesToTheEnd() {
  local find=("$SLUICE" find --data "$D" --token-file "$D/enroll.token")
  expect_exit 0 "${find[@]}" --san 'www.*' --status valid && expect_equal "$(wc -l <"$WORK/out")" 2 &&
    expect_output '01aa  valid    2027-01-01T00:00:00Z  tls-server  web  CN=www' && expect_output '01bb' &&
    expect_exit 0 "${find[@]}" --san 'www.*' --json && expect_equal "$(jq -rs '[.[].serial] | join(" ")' "$WORK/out")" '01aa 01bb' &&
    expect_exit 0 "$SLUICE" find --data "$D" --san 'www.*' && expect_output '01bb' &&
    expect_exit 1 "${find[@]}" --san odd && expect_error 'sluice: 400 Odd'
}

# Node 0 of this directory does not answer, node 1 does.
test_client_firstNodeDead_asksTheNext() {
  local copy="$WORK/other-ports"
  mkdir -p "$copy" && cp "$D/root.pem" "$D/admin.token" "$D/enroll.token" "$copy" &&
    printf 'port: %s\nnodes: 2\n' $((PORT - 1)) >"$copy/run" &&
    expect_exit 0 "$SLUICE" get --data "$copy" 2a && expect_output 'BEGIN CERTIFICATE' &&
    expect_error "nothing answers at https://localhost:$((PORT - 1)): trying https://localhost:$PORT" &&
    printf 'port: 1\nnodes: 2\n' >"$copy/run" &&
    expect_exit 1 "$SLUICE" get --data "$copy" 2a && expect_error 'nothing answers at https://localhost:1 https://localhost:2: is it up?'
}

test_status_running_tableAndJson() {
  expect_exit 0 "$SLUICE" status --data "$D" && grep -qE '^1 +[0-9]+ +ready +7/256 +1/8 +5 +0 +[0-9]+$' "$WORK/out" ||
    fail "$(cat "$WORK/out")" || return 1
  expect_output 'node 1 issues nothing under profile web: issuer "x" is {not} here' &&
    expect_exit 0 "$SLUICE" status --data "$D" --json && expect_output '"state":"ready","queueDepth":7,"queueCapacity":256' &&
    expect_output '"refusedProfiles":{"web":"issuer \"x\" is {not} here"}'
}

test_node_killed_databaseAndOthersLiveAndUpRestoresIt() {
  local killed other database
  killed="$(cat "$D/node-1.pid")" other="$(cat "$D/node-0.pid")" database="$(postmaster "$D")"
  kill -9 "$killed"
  expect_ended "$killed" && expect_lives "$other" && expect_lives "$database" &&
    expect_exit 1 "$SLUICE" status --data "$D" && expect_output stopped &&
    expect_exit 0 "$SLUICE" up --data "$D" "${PORTS[@]}" --nodes 2 --detach &&
    expect_equal "$(cat "$D/node-0.pid")" "$other" && expect_equal "$(postmaster "$D")" "$database" &&
    expect_lives "$(cat "$D/node-1.pid")"
}

test_down_running_everythingEnds() {
  local pids pid
  pids="$(cat "$D"/node-*.pid) $(postmaster "$D")"
  expect_exit 0 "$SLUICE" down --data "$D" || return 1
  for pid in $pids; do
    expect_ended "$pid" || return 1
  done
  [ ! -e "$D/node-0.pid" ] || fail "a pid file is left" || return 1
  expect_exit 0 "$SLUICE" down --data "$D" && expect_exit 0 "$SLUICE" down --data "$WORK/none"
}

test_audit_afterDown_startsTheDatabaseAndStopsIt() {
  expect_exit 0 "$SLUICE" audit verify --data "$D" && expect_output "--database-url jdbc:postgresql://127.0.0.1:" &&
    expect_output "--database-password-file $D/secrets/database.password" && expect_output "--key $D/audit.pem" &&
    [ ! -e "$D/postgres/data/postmaster.pid" ] || fail "PostgreSQL was left running"
}

test_up_again_keepsKeysDatabaseTokensAndSkipsTheCeremony() {
  local before after
  before="$(cat "$D"/secrets/* "$D/root.pem" "$D/postgres.port" "$D/postgres/data/PG_VERSION" | sha256sum)"
  : >"$SLUICE_DIST/calls"
  # Pids of the last boot that now belong to others must be neither believed nor killed.
  printf '%s\n' "$$" | tee "$D/node-0.pid" >"$D/postgres/data/postmaster.pid"
  expect_exit 0 "$SLUICE" up --data "$D" "${PORTS[@]}" --detach || return 1
  after="$(cat "$D"/secrets/* "$D/root.pem" "$D/postgres.port" "$D/postgres/data/PG_VERSION" | sha256sum)"
  expect_equal "$before" "$after" && expect_equal "$(cat "$SLUICE_DIST/calls")" ''
}

test_up_tokenThatNoNodeTakes_isReplaced() {
  printf 'expired\n' >"$D/enroll.token"
  : >"$SLUICE_DIST/calls"
  expect_exit 0 "$SLUICE" down --data "$D" && expect_exit 0 "$SLUICE" up --data "$D" "${PORTS[@]}" --detach &&
    expect_equal "$(cut -d ' ' -f 1 "$SLUICE_DIST/calls")" credentials && expect_equal "$(cat "$D/enroll.token")" enroll-token
}

test_up_otherIssuerKey_exit1() {
  expect_exit 1 "$SLUICE" up --data "$D" "${PORTS[@]}" --issuer-key rsa-2048 && expect_error 'was made with --issuer-key ec-p256'
}

test_up_prepare_noNodeAndACopyIsATrialWithTheSameKeys() {
  local original="$WORK/data-prepared" copy="$WORK/data-copy" result=1 PORT PORTS
  choose_ports
  expect_exit 0 "$SLUICE" up --data "$original" "${PORTS[@]}" --prepare && [ ! -e "$original/node-0.pid" ] &&
    [ ! -e "$original/postgres/data/postmaster.pid" ] && cp -a "$original" "$copy" && : >"$SLUICE_DIST/calls" &&
    expect_exit 0 "$SLUICE" up --data "$copy" "${PORTS[@]}" --detach &&
    expect_equal "$(cat "$SLUICE_DIST/calls")" '' &&
    expect_equal "$(cat "$copy/root.pem" "$copy/admin.token")" "$(cat "$original/root.pem" "$original/admin.token")" &&
    expect_lives "$(cat "$copy/node-0.pid")" && result=0
  "$SLUICE" down --data "$copy" >/dev/null 2>&1
  return "$result"
}

test_up_portBusy_exit1NamesThePort() {
  expect_exit 1 "$SLUICE" up --data "$WORK/data2" "${PORTS[@]}" --detach && expect_error "port $PORT is in use" &&
    [ ! -e "$WORK/data2/postgres" ]
}

test_postgres_killed_upRecovers() {
  local database
  database="$(postmaster "$D")"
  kill -9 "$database"
  expect_ended "$database" && expect_exit 0 "$SLUICE" down --data "$D" &&
    expect_exit 0 "$SLUICE" up --data "$D" "${PORTS[@]}" --detach && expect_lives "$(postmaster "$D")" &&
    expect_exit 0 "$SLUICE" down --data "$D"
}

test_up_nodeFails_exit1WithItsReasonNothingLeft() {
  : >"$D/refuse-to-start"
  expect_exit 1 "$SLUICE" up --data "$D" "${PORTS[@]}" --detach && expect_error 'node 0 ended while starting: the token refused the PIN' &&
    [ ! -e "$D/postgres/data/postmaster.pid" ] && [ ! -e "$D/node-0.pid" ] || fail "something was left"
  local result=$?
  rm -f "$D/refuse-to-start"
  return "$result"
}

test_up_foreground_interruptStopsAll() {
  local launcher node database signal
  for signal in INT TERM; do
    start_in_foreground || return 1
    launcher=$! node="$(cat "$D/node-0.pid")" database="$(postmaster "$D")"
    kill -s "$signal" "$launcher"
    expect_ended "$launcher" || return 1
    wait "$launcher" || fail "exit $? after $signal" || return 1
    expect_ended "$node" && expect_ended "$database" || return 1
  done
}

# A background job of a script ignores SIGINT; env gives it back, as at a terminal.
start_in_foreground() {
  # Truncated by the child only when it runs: the last test's ready line must be gone before.
  rm -f "$WORK/out" "$WORK/err"
  env --default-signal=INT "$SLUICE" up --data "$D" "${PORTS[@]}" >"$WORK/out" 2>"$WORK/err" </dev/null &
  await 180 grep -q '^ready' "$WORK/out"
}

test_up_foreground_downFromElsewhereEndsIt() {
  start_in_foreground || return 1
  local launcher=$!
  expect_exit 0 "$SLUICE" down --data "$D" && expect_ended "$launcher" && wait "$launcher"
}

test_up_recalibrate_measuresAgain() {
  : >"$SLUICE_DIST/calls"
  expect_exit 0 "$SLUICE" up --data "$D" "${PORTS[@]}" --recalibrate --detach &&
    expect_equal "$(grep -c '^calibrate --module ' "$SLUICE_DIST/calls")" 1 && expect_exit 0 "$SLUICE" down --data "$D"
}

test_up_interruptedWhileStarting_exit1NothingLeft() {
  rm -f "$WORK/out" "$WORK/err"
  env --default-signal=INT "$SLUICE" up --data "$D" "${PORTS[@]}" >"$WORK/out" 2>"$WORK/err" </dev/null &
  local launcher=$! status=0
  await 120 grep -q 'starting PostgreSQL' "$WORK/err" || return 1
  kill -s TERM "$launcher"
  expect_ended "$launcher" || return 1
  wait "$launcher" || status=$?
  expect_equal "$status" 1 && expect_error 'interrupted before it was ready' && [ ! -e "$D/postgres/data/postmaster.pid" ]
}

test_tokens_pinLost_exit1() {
  mv "$D/secrets/issuing.pin" "$WORK/issuing.pin"
  expect_exit 1 "$SLUICE" up --data "$D" "${PORTS[@]}" --detach && expect_error 'the token sluice-issuing is there, but not its PIN'
  local result=$?
  mv "$WORK/issuing.pin" "$D/secrets/issuing.pin"
  return "$result"
}

# A new token would have other keys, and no node could sign for the issuers of the ledger.
test_tokens_folderLost_exit1AndNothingMade() {
  local result
  mv "$D/softhsm/issuing/tokens" "$WORK/issuing.tokens"
  expect_exit 1 "$SLUICE" up --data "$D" "${PORTS[@]}" --detach && expect_error 'the token sluice-issuing is missing' &&
    expect_error 'restore the folder' && [ -z "$(ls -A "$D/softhsm/issuing/tokens" 2>/dev/null)" ]
  result=$?
  rm -rf "$D/softhsm/issuing/tokens"
  mv "$WORK/issuing.tokens" "$D/softhsm/issuing/tokens"
  return "$result"
}

# Everyone on a machine can read command lines: these wrappers write down what the launcher calls.
test_secrets_upAndEnroll_neverOnACommandLine() {
  local program secret directory="$WORK/data4"
  mkdir -p "$WORK/spies"
  for program in curl softhsm2-util script env unshare setpriv; do
    # shellcheck disable=SC2016 # the text of the wrapper
    printf '#!/bin/bash\nprintf "%%s\\n" "$0 $*" >>"%s"\nexec "%s" "$@"\n' "$WORK/spoken" "$(command -v "$program")" >"$WORK/spies/$program"
    chmod +x "$WORK/spies/$program"
  done
  choose_ports
  PATH="$WORK/spies:$PATH" expect_exit 0 "$SLUICE" up --data "$directory" "${PORTS[@]}" --detach &&
    PATH="$WORK/spies:$PATH" expect_exit 0 "$SLUICE" enroll --data "$directory" --csr "$WORK/request.csr" --profile p || return 1
  for program in curl softhsm2-util script env; do
    grep -q "/$program " "$WORK/spoken" || fail "$program was not watched" || return 1
  done
  for secret in "$directory"/secrets/* "$directory"/*.token; do
    ! grep -qF -- "$(cat "$secret")" "$WORK/spoken" || fail "spoken aloud: $secret" || return 1
  done
  expect_exit 0 "$SLUICE" down --data "$directory"
}

# Root in a container: user namespaces are refused, as by this unshare.
test_postgres_namespacesForbidden_runsAsNobody() {
  [ "$(id -u)" -eq 0 ] && reachable_by_nobody || { skip 'needs root, and a checkout that nobody can read'; return; }
  mkdir -p "$WORK/bin"
  printf '#!/bin/sh\nexit 1\n' >"$WORK/bin/unshare"
  chmod +x "$WORK/bin/unshare"
  chmod o+x "$WORK"
  choose_ports
  local directory="$WORK/data3" result=0
  for _ in first again; do
    PATH="$WORK/bin:$PATH" expect_exit 0 "$SLUICE" up --data "$directory" "${PORTS[@]}" --detach &&
      expect_equal "$(stat -c %U "/proc/$(postmaster "$directory")")" nobody &&
      expect_exit 0 "$SLUICE" down --data "$directory" && [ ! -e "$directory/postgres/data/postmaster.pid" ] || result=1
  done
  return "$result"
}

reachable_by_nobody() {
  setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$(dirname "$SLUICE")"/ca-api/target/postgres/*/bin/postgres 2>/dev/null
}

# --- Run ------------------------------------------------------------------------------------------------

make_stand_in || { echo "cannot build the stand-in" >&2; exit 1; }
# shellcheck source=/dev/null
source "$HERE/drill.sh"
mapfile -t TESTS < <(grep -ohE '^test_[A-Za-z0-9_]+' "${BASH_SOURCE[0]}" "$HERE/checks.sh" "$HERE/options.sh" "$HERE/training.sh" "$HERE/drill.sh" | grep -E -- "$PATTERN")
for name in "${TESTS[@]}"; do
  if "$name"; then
    PASSED=$((PASSED + 1))
    printf 'ok   %s\n' "${name#test_}"
  else
    FAILED=$((FAILED + 1))
    printf 'FAIL %s\n' "${name#test_}"
  fi
done
[ "$SKIPPED" -eq 0 ] || printf '%s of them skipped\n' "$SKIPPED"
printf '%s passed, %s failed\n' "$PASSED" "$FAILED"
[ "$FAILED" -eq 0 ]
