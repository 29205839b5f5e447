# shellcheck shell=bash
# Tests that each command refuses options it does not know before it starts anything, and that the help names each command.
# Sourced by run.sh.

# The commands that parse options, with an option of each that takes a value. ceremony, setup and audit hand theirs to a
# program of the service's jar, which has tests of its own; profile check and lint take any number of files.
readonly OPTION_TABLE='
up|port
down|data
status|data
enroll|csr
renew|cert
batch|out
order|ca-file
get|out
find|san
revoke|reason
revoke-all|requester
login|ca-file
profile add|ca-file
profile activate|ca-file
profile file|ca-file
profile versions|ca-file
profile diff|ca-file
credential add|ca-file
credential list|ca-file
credential rotate|ca-file
credential revoke|ca-file
endpoint add|ca-file
endpoint list|ca-file
endpoint versions|ca-file
endpoint show|ca-file
endpoint activate|ca-file
endpoint deactivate|ca-file
eab add|ca-file
eab list|ca-file
eab revoke|ca-file
request list|state
request show|ca-file
capacity|ca-file
watch|ca-file
expiry|ca-file
approval list|ca-file
approval show|ca-file
issuer list|ca-file
issuer install|ca-file
man|out
release build|out
release check|commit
bench|seconds
bench peers|rounds
bench acme|rounds
bench idle|minutes
bench lane|seconds
bench client|rounds
bench ledger|rounds
bench ocsp|seconds
bench crl|entries
bench find|entries
bench index|seconds
bench machine|seconds
plan|demand
plan table|machine
load smoke|rate
load nodes|rate
load keyless|rounds
load day|hours
vm build|cache
vm baseline|out
vm desk|port
vm seed|node
vm boot|memory
vm pair|seconds
compose up|base
compose down|project
compose image|tag
drill restore|seconds
drill failover|stall
drill rolling|seconds'

# refuses COMMAND… : exit code 2 within seconds, with one line that names what is wrong, and nothing made.
refuses() {
  expect_exit 2 env SLUICE_DATA="$WORK/refused" timeout 20 "$@" || return 1
  [ "$(wc -l <"$WORK/err")" -eq 1 ] || fail "more than a line: $* ($(head -n 3 "$WORK/err"))" || return 1
  [ ! -e "$WORK/refused" ] || fail "made a directory: $*"
}

# refuses_what_it_does_not_know LAUNCHER COMMAND OPTION
refuses_what_it_does_not_know() {
  local launcher="$1" option="--$3" words
  read -ra words <<<"$2"
  refuses "$launcher" "${words[@]}" --portt 1 && expect_error "unknown option '--portt'" &&
    refuses "$launcher" "${words[@]}" "$option" && expect_error "$option needs a value" &&
    refuses "$launcher" "${words[@]}" "$option" --json && expect_error "$option needs a value" &&
    refuses "$launcher" "${words[@]}" "$option=" && expect_error "$option is empty" &&
    refuses "$launcher" "${words[@]}" "$option" 7 "$option" 7 && expect_error "$option is given twice" &&
    refuses "$launcher" "${words[@]}" a b c d
}

test_options_everyCommand_refusesWhatItDoesNotKnow() {
  local command option
  while IFS='|' read -r command option; do
    [ -z "$command" ] || refuses_what_it_does_not_know "$SLUICE" "$command" "$option" || return 1
  done <<<"$OPTION_TABLE"
}

# The test above would notice a command without its check.
test_options_plantedCommandWithoutCheck_isNoticed() {
  local copy="$WORK/planted"
  mkdir -p "$copy/deploy" && cp "$SLUICE" "$copy/sluice" && cp -r "$(dirname "$SLUICE")/deploy/local" "$copy/deploy/local" || return 1
  refuses_what_it_does_not_know "$copy/sluice" down data || return 1
  printf '%s\n' 'down() { say "stopped"; }' >>"$copy/deploy/local/up.sh"
  ! refuses_what_it_does_not_know "$copy/sluice" down data 2>/dev/null || fail "a command that checks nothing passed"
}

test_options_everyCommandOfTheLauncher_isInTheTable() {
  local command clients
  clients=" $(part eval 'echo $CLIENT_COMMANDS') "
  for command in $(part eval 'echo $COMMANDS'); do
    [[ "$command" =~ ^(test|ceremony|setup|audit|connections|logout|completion|schema)$ ]] || grep -qE "^$command( |\|)" <<<"$OPTION_TABLE" || fail "$command is not in the table" || return 1
    [[ "$clients" == *" $command "* ]] || grep -qE "^    $command\) " "$SLUICE" || fail "the launcher has no $command" || return 1
    # The client knows it, too.
    [[ "$clients" != *" $command "* ]] || { expect_exit 0 "$SLUICE" "$command" --help && expect_output "sluice $command"; } || return 1
  done
  expect_equal "$(grep -cE '^    [a-z-]+\) [a-z_]+ "\$@" ;;' "$SLUICE")" "$(($(part eval 'echo $COMMANDS' | wc -w) - $(wc -w <<<"$clients")))"
}

test_help_fitsAScreenAndNamesEveryCommand() {
  local command
  expect_exit 0 "$SLUICE" --help || return 1
  awk 'length($0) > 80 { exit 1 } END { if (NR > 24) exit 1 }' "$WORK/out" || fail "more than 24 lines of 80 columns" || return 1
  cp "$WORK/out" "$WORK/help"
  for command in $(part eval 'echo $COMMANDS'); do
    grep -qE "^  [A-Z].*[ ,]$command(,|$)" "$WORK/help" || fail "the help lacks $command" || return 1
    [[ "$(part eval 'echo "$PROGRAMS"')" == *" $command "* ]] || { expect_exit 0 "$SLUICE" "$command" --help && expect_output "./sluice $command"; } || return 1
  done
}

test_usage_misspeltCommand_namesTheNearest() {
  expect_exit 2 "$SLUICE" stauts && expect_error "did you mean 'status'?" && expect_exit 2 "$SLUICE" enrol && expect_error "did you mean 'enroll'?"
}

# What has no options of the table.
test_options_otherPrograms_refuseWhatTheyDoNotKnow() {
  local bad here
  here="$(dirname "$SLUICE")/deploy/local"
  for bad in 'test --nightyl' 'test stray' 'test --nightly --nightly' 'bench micro x' 'bench micro save save' 'bench ratios x' 'bench ratios save save' 'bench isolation 1 2 3' 'bench isolation --seconds' \
    'audit verify --data' 'audit verify --data a --data b' 'audit verify --data --key' 'audit --portt 1' 'profile check --data a --data b' \
    'profile check --data --portt' 'profile check --portt 1' 'profile lint --data' 'vm' 'vm stray' 'compose' 'compose stray' 'vm boot --port 65536' 'vm boot --memory 1' 'vm pair --port 65535'; do
    # shellcheck disable=SC2086 # words
    refuses "$SLUICE" $bad || return 1
  done
  for bad in 'fuzz.sh' 'fuzz.sh NoFuzz' 'fuzz.sh TextFuzz x' 'fuzz.sh TextFuzz 0' 'fuzz.sh TextFuzz 3 4' 'pit.sh --admit' 'pit.sh no.such' 'pit.sh admit nothing'; do
    # shellcheck disable=SC2086 # words
    refuses "$here/"$bad || return 1
  done
}
