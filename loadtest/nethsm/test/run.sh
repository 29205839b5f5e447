#!/usr/bin/env bash
# Tests of the simulated HSM before a real SoftHSM: signatures, rates, the queue, deaths, faults, statistics.
# Each test is a function test_part_condition_result on a state of its own. `run.sh PATTERN` runs those whose
# names match. Rates are counted by the callers, not read from the statistics that are tested.
set -uo pipefail

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
SLUICE_ROOT="$(readlink -f "$HERE/../../..")"
PATTERN="${1:-.}"
# A build with a planted bug, for which a test must fail.
OUT="${NETHSM_TEST_OUT:-$HERE/../target}"
WORK="$(mktemp -d)"
PASSED=0
FAILED=0
export LC_ALL=C

# shellcheck source=/dev/null
for part in common prerequisites softhsm; do source "$SLUICE_ROOT/deploy/local/$part.sh"; done

cleanup() {
  local left
  left="$(jobs -p)"
  if [ -n "$left" ]; then
    # timeout(1) hands SIGTERM on to what it started, and leaves it behind by SIGKILL.
    # shellcheck disable=SC2086 # a list of numbers
    { kill -s TERM $left; sleep 0.1; kill -s KILL $left; } 2>/dev/null
  fi
  rm -rf "$WORK"
}
trap cleanup EXIT
trap 'exit 1' INT TERM

# --- What tests say ---------------------------------------------------------------------------------

fail() { printf '    %s\n' "$*" >&2; return 1; }
expect_equal() { [ "$1" = "$2" ] || fail "${3:-value}: '$1' is not '$2'"; }
# expect_between VALUE LEAST MOST WHAT
expect_between() {
  awk -v v="$1" -v a="$2" -v b="$3" 'BEGIN { exit !(v != "" && v + 0 >= a && v + 0 <= b) }' || fail "$4: '$1' is not within $2 and $3"
}
await() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < deadline)) || { fail "not in time: $*"; return 1; }
    sleep 0.02
  done
}

# --- Fixture ------------------------------------------------------------------------------------------

prepare() {
  require_tools gcc:gcc make:make softhsm2-util:softhsm2 awk:mawk
  [ -e /usr/include/stdlib.h ] || install_packages libc6-dev
  [ -e /usr/include/p11-kit-1/p11-kit/pkcs11.h ] || install_packages libp11-kit-dev
  NETHSM_MODULE="$(find_softhsm)" || missing_prerequisite "libsofthsm2.so not found: install the package softhsm2"
  make -s -j2 -C "$HERE/.." OUT="$OUT" PLANT="${NETHSM_TEST_PLANT:-}" all || return
  export NETHSM_MODULE NETHSM_STATE="$WORK/state" SOFTHSM2_CONF="$WORK/softhsm2.conf"
  export CALLER_MODULE="$OUT/libnethsm.so" CALLER_PIN=1234 CALLER_LOCK="$WORK/lock"
  mkdir "$WORK/tokens"
  printf 'directories.tokendir = %s/tokens\nobjectstore.backend = file\nlog.level = ERROR\n' "$WORK" >"$SOFTHSM2_CONF"
  softhsm2-util --init-token --free --label nethsm --pin "$CALLER_PIN" --so-pin 12345678 >/dev/null &&
    fresh plain && caller keys
}

# The callers of a hung or leaking HSM would never end.
caller() { timeout -s KILL "${NETHSM_TEST_PATIENCE:-60}" "$OUT/caller" "$@"; }
nethsm() { "$OUT/nethsm" "$NETHSM_STATE" "$@"; }
fresh() {
  rm -f "$NETHSM_STATE"
  nethsm create --profile "$@"
}

# value KEY [TEXT]: of KEY=VALUE words.
value() { tr ' ' '\n' <<<"${2:-$RESULT}" | sed -n "s/^$1=//p"; }
# stat FIELD [CLASS]: of the statistics, once.
stat_of() {
  local json
  json="$(nethsm stats --json)" || return
  [ $# -eq 1 ] || json="$(sed -n "s/.*\"$2\":{\([^}]*\)}.*/\1/p" <<<"$json")"
  sed -n "s/.*\"$1\":\([^],}]*\).*/\1/p" <<<"$json"
}
stat_is() { [ "$(stat_of "$1" "$2")" = "$3" ]; }

# A caller that takes steps: `step WORD` sets CODE, MILLIS and MORE.
start_steps() {
  coproc STEPS { exec "$OUT/caller" steps 2>>"$WORK/err"; }
  STEPS_PROCESS=$!
  STEPS_TO="${STEPS[1]}" STEPS_FROM="${STEPS[0]}"
}
ask() { printf '%s\n' "$1" >&"$STEPS_TO"; }
hear() {
  CODE=silent MILLIS=0 MORE=''
  # shellcheck disable=SC2034 # for the tests
  read -r -t "${1:-60}" -u "$STEPS_FROM" CODE MILLIS MORE
}
# step WORD CODE [MORE]: takes a step and expects its answer.
step() {
  ask "$1" && hear
  expect_equal "$CODE" "$2" "$1" && { [ $# -lt 3 ] || expect_equal "$MORE" "$3" "$1"; }
}
steps_to_key() { start_steps && step initialize CKR_OK && step open CKR_OK && step login CKR_OK && step "$1" CKR_OK; }
end_steps() {
  eval "exec $STEPS_TO>&-"
  { wait "$STEPS_PROCESS"; } 2>/dev/null
}

# --- Signing --------------------------------------------------------------------------------------------

test_sign_everyWay_verifies() {
  fresh plain && steps_to_key rsa && step sign CKR_OK CKR_OK && step sign-parts CKR_OK CKR_OK &&
    step sign-by-length CKR_OK CKR_OK && step ec CKR_OK && step sign CKR_OK CKR_OK &&
    step sign-by-length CKR_OK CKR_OK && end_steps &&
    stat_is signed rsa-2048 3 && stat_is signed ec-p256 2 || fail "$(nethsm stats)"
}

test_initialize_againAndTwice_asPkcs11Says() {
  fresh plain && start_steps && step open CKR_CRYPTOKI_NOT_INITIALIZED && step initialize CKR_OK &&
    step initialize CKR_CRYPTOKI_ALREADY_INITIALIZED && step open CKR_OK && step finalize CKR_OK &&
    step finalize CKR_CRYPTOKI_NOT_INITIALIZED && step sign CKR_CRYPTOKI_NOT_INITIALIZED &&
    step initialize CKR_OK && step sign CKR_SESSION_HANDLE_INVALID && step open CKR_OK && step login CKR_OK &&
    step ec CKR_OK && step sign CKR_OK CKR_OK && step fork CKR_CRYPTOKI_NOT_INITIALIZED &&
    step sign CKR_OK CKR_OK && end_steps
}

# Before other processes where that is allowed: a machine that cannot wake a thread within the service time would be
# measured, not the module. A planted drift is looked for without: real-time threads have no timer slack, and drift less.
PRIORITY=()
[ -n "${NETHSM_TEST_PLANT:-}" ] || ! chrt -r 5 true 2>/dev/null || PRIORITY=(chrt -r 5)

# run_load PROCESSES THREADS: RATE_COUNT in three seconds, TOTAL in all, by the callers' own clocks.
run_load() {
  local processes="$1" threads="$2" from i
  from=$(($(caller clock) + 1200000000))
  for i in $(seq "$processes"); do
    timeout -s KILL 15 "${PRIORITY[@]}" "$OUT/caller" load ec "$threads" "$from" $((from + 3000000000)) >"$WORK/load$i" &
  done
  wait
  RATE_COUNT=0 TOTAL=0
  for i in $(seq "$processes"); do
    RESULT="$(cat "$WORK/load$i")"
    expect_equal "$(value wrong)" 0 'signatures that do not verify' || return
    RATE_COUNT=$((RATE_COUNT + $(value window))) TOTAL=$((TOTAL + $(value total)))
  done
}

# expect_rate PROCESSES THREADS COUNT LEAST SETTINGS…: at least LEAST, and not as many above COUNT, of the COUNT
# signatures that the servers can make in the window. A busy machine can take some away, never add: a second try is fair.
expect_rate() {
  local processes="$1" threads="$2" count="$3" least="$4"
  shift 4
  for _ in 1 2; do
    fresh netHSM2000 "$@" && run_load "$processes" "$threads" || return
    printf '    %s processes: %s of %s, %s signed in all, utilisation %s, overruns %s\n' "$processes" "$RATE_COUNT" "$count" "$TOTAL" \
      "$(stat_of utilisation servers)" "$(stat_of overrun ec-p256)"
    expect_equal "$(stat_of signed ec-p256)" "$TOTAL" signed && expect_equal "$(stat_of now queue)" 0 'left in the queue' || return
    ((RATE_COUNT < least)) || break
  done
  expect_between "$RATE_COUNT" "$least" $((2 * count - least)) 'signatures in three seconds'
}

# 400 a second, within 3 %. Four callers a server keep the queue filled.
test_rate_oneProcess_isServersByServiceTime() { expect_rate 1 32 1200 1164 --service ec-p256=20; }
test_rate_twoProcesses_isServersByServiceTime() { expect_rate 2 16 1200 1164 --service ec-p256=20; }
test_rate_tenProcesses_isServersByServiceTime() { expect_rate 10 4 1200 1164 --service ec-p256=20; }
# What each late thread lost would show here: within 1.5 %.
test_rate_shortService_lateThreadsLoseNothing() { expect_rate 2 12 3000 2955 --servers 2 --service ec-p256=2; }

test_rate_exponential_sameSeedSameTimes() {
  local first second other
  first="$(mean_of_forty 7)" && second="$(mean_of_forty 7)" && other="$(mean_of_forty 8)" || return
  # A draw shorter than the backing module needs counts as long as that: hence not exactly the same.
  expect_between "$second" "$(awk "BEGIN { print $first * 0.93 }")" "$(awk "BEGIN { print $first * 1.07 }")" 'mean of the same seed' &&
    expect_between "$first" 5 18 'mean of ten milliseconds' && [ "$first" != "$other" ] || fail "other seed, same times: $first"
}
mean_of_forty() {
  fresh netHSM2000 --service ec-p256=10 --distribution exponential --seed "$1" --rtt 0 && steps_to_key ec || return
  local i
  for i in $(seq 40); do step sign CKR_OK CKR_OK || return; done
  end_steps
  stat_of service_mean_ms ec-p256
}

test_roundTripAndJitter_addToEachSignature() {
  local i sum=0
  fresh netHSM2000 --service ec-p256=10 --rtt 50 && steps_to_key ec && step sign CKR_OK CKR_OK &&
    expect_between "$MILLIS" 60 160 'milliseconds of 50 + 10' && nethsm set jitter=60 rtt=0 || return
  for i in 1 2 3 4 5 6 7 8; do
    step sign CKR_OK CKR_OK || return
    sum="$(awk "BEGIN { print $sum + $MILLIS }")"
  done
  end_steps
  # Sixteen ways of 0 to 60 ms: 480 ms on average.
  expect_between "$sum" 280 1600 'milliseconds of eight signatures with jitter'
}

test_set_serversAtRunTime_takesEffect() {
  fresh netHSM2000 --servers 1 --service ec-p256=150 && RESULT="$(caller burst ec 4 1)" || return
  expect_between "$(stat_of wait_max_ms ec-p256)" 400 520 'longest wait for one server' && nethsm set servers=4 &&
    nethsm stats --reset >/dev/null && RESULT="$(caller burst ec 4 1)" &&
    expect_between "$(stat_of wait_max_ms ec-p256)" 0 100 'longest wait for four servers'
}

# --- The queue --------------------------------------------------------------------------------------------

test_queue_full_boundIsExactAndRefusalsSaySo() {
  local code
  for code in CKR_FUNCTION_FAILED 0x80000123; do
    # Two rounds of one process: a place that a refused job kept would show.
    # A refusal that waited for a place would take a service time, which is longer than any machine's delay.
    fresh netHSM2000 --servers 7 --queue 7 --service ec-p256=1500 --rtt 20 --busy "$code" &&
      RESULT="$(caller burst ec 30 2)" || { fail 'the bursts do not end'; return 1; }
    expect_equal "$(value CKR_OK)" 28 'signed of twice 7 + 7' && expect_equal "$(value "$code")" 32 'refused of twice 30' &&
      expect_between "$(value refused_min)" 20 1400 'first refusal, ms' && expect_between "$(value refused_max)" 20 1450 'last refusal, ms' &&
      expect_equal "$(stat_of signed ec-p256)" 28 signed && expect_equal "$(stat_of refused_full ec-p256)" 32 refused &&
      expect_equal "$(stat_of max queue)" 7 'longest queue' && expect_equal "$(stat_of now queue)" 0 queue || return
  done
}

test_queue_refused_sessionSignsAgainWithAnyKey() {
  fresh netHSM2000 --service ec-p256=5 --service rsa-2048=5 && steps_to_key ec && nethsm fault busy CKR_DEVICE_ERROR &&
    step sign CKR_DEVICE_ERROR && step sign CKR_DEVICE_ERROR && nethsm fault clear && step sign CKR_OK CKR_OK &&
    nethsm fault busy CKR_DEVICE_ERROR && step sign CKR_DEVICE_ERROR && step rsa CKR_OK && step sign-parts CKR_DEVICE_ERROR &&
    nethsm fault clear && step sign-parts CKR_OK CKR_OK && step sign CKR_OK CKR_OK && end_steps
}

# --- Statistics -------------------------------------------------------------------------------------------------

# Five jobs before one server of 100 ms: the queue is 4, 3, 2, 1 long for 100 ms each.
test_statistics_queueLengths_asTheArithmeticSays() {
  local json lengths
  fresh netHSM2000 --servers 1 --service ec-p256=100 && caller burst ec 5 1 >/dev/null && json="$(nethsm stats --json)" || return
  lengths="$(sed -n 's/.*"milliseconds_at_length":\[\([^]]*\)\].*/\1/p' <<<"$json" | tr ',' ' ')"
  # shellcheck disable=SC2086 # words
  set -- $lengths
  expect_equal $# 5 'lengths in the histogram' && expect_between "$2" 97 130 'ms at one' && expect_between "$3" 97 130 'ms at two' &&
    expect_between "$4" 97 130 'ms at three' && expect_between "$5" 60 130 'ms at four' &&
    expect_between "$(awk "BEGIN { print $1 + $2 + $3 + $4 + $5 - $(sed -n 's/.*"elapsed_ms":\([0-9.]*\).*/\1/p' <<<"$json") }")" -1 1 'sum less elapsed' &&
    expect_between "$(stat_of service_mean_ms ec-p256)" 100 130 'mean service' && expect_between "$(stat_of wait_max_ms ec-p256)" 360 520 'longest wait'
}

# The same five jobs stay for one to five times 100 ms: half of them no longer than the third.
test_statistics_latency_isFromArrivalToEnd() {
  fresh netHSM2000 --servers 1 --service ec-p256=100 && caller burst ec 5 1 >/dev/null || return
  expect_between "$(stat_of p50_ms latency)" 275 345 'p50' && expect_between "$(stat_of p99_ms latency)" 455 560 'p99' &&
    expect_between "$(stat_of max_ms latency)" 460 560 'longest' && nethsm stats --reset >/dev/null &&
    expect_equal "$(stat_of p50_ms latency)" 0.000 'p50 of nothing'
}

test_statistics_watch_printsALineEachTime() {
  fresh plain || return
  timeout 1.1 "$OUT/nethsm" "$NETHSM_STATE" stats --json --watch 0.2 >"$WORK/watched"
  expect_between "$(grep -c '^{.*}$' "$WORK/watched")" 3 6 'lines in a second'
}

# --- Deaths -------------------------------------------------------------------------------------------------

# Eight jobs of a process, two served and six queued; four of another behind them. The first dies. Were its jobs kept, the
# other's would never come.
test_kill_jobsInServiceAndQueue_othersGoOn() {
  fresh netHSM2000 --servers 2 --queue 20 --service ec-p256=2000 || return
  "$OUT/caller" burst ec 8 1 >/dev/null 2>&1 &
  local victim=$! survivor
  await 60 stat_is in_queue ec-p256 6 || return
  timeout -s KILL "${NETHSM_TEST_PATIENCE:-60}" "$OUT/caller" burst ec 4 1 >"$WORK/survivor" &
  survivor=$!
  await 60 stat_is in_queue ec-p256 10 || return
  kill -s KILL "$victim"
  { wait "$victim"; } 2>/dev/null
  await 60 stat_is abandoned ec-p256 8 || return
  wait "$survivor" || { fail 'the other process did not end'; return 1; }
  expect_equal "$(value CKR_OK "$(cat "$WORK/survivor")")" 4 signed &&
    expect_equal "$(stat_of abandoned ec-p256)" 8 abandoned && expect_equal "$(stat_of processes)" 0 processes &&
    expect_equal "$(stat_of now sessions)" 0 sessions && expect_equal "$(stat_of busy servers)" 0 'busy servers'
}

# A death with the lock held and the job half in: only a module built for it dies there each time.
test_kill_withTheLock_nextOneRepairs() {
  make -s -j2 -C "$HERE/.." OUT="$OUT/die" PLANT=-DPLANT_DIE "$OUT/die/libnethsm.so" && fresh netHSM2000 || return
  local status=0
  { CALLER_MODULE="$OUT/die/libnethsm.so" "$OUT/caller" burst ec 3 1 >/dev/null 2>&1 || status=$?; } 2>/dev/null
  expect_equal "$status" 137 'exit of the one that dies' || return
  RESULT="$(caller burst ec 8 1)" && expect_equal "$(value CKR_OK)" 8 signed && expect_equal "$(stat_of processes)" 0 processes &&
    expect_equal "$(stat_of now sessions)" 0 sessions && expect_equal "$(stat_of abandoned ec-p256)" 1 abandoned
}

test_kill_atRandomUnderLoad_leavesNothing() {
  fresh netHSM2000 --service ec-p256=0.5 --rtt 0 && nethsm fault fake on || return
  local round far victim
  far=$(($(caller clock) + 60000000000))
  for round in 1 2 3 4 5 6; do
    "$OUT/caller" load ec 12 0 "$far" >/dev/null 2>&1 &
    victim=$!
    await 60 is_inside || return
    sleep "0.0$((RANDOM % 9 + 1))"
    kill -s KILL "$victim"
    { wait "$victim"; } 2>/dev/null
  done
  nethsm fault clear && RESULT="$(caller burst ec 8 1)" && expect_equal "$(value CKR_OK)" 8 "signed after $round deaths" &&
    expect_equal "$(stat_of processes)" 0 processes && expect_equal "$(stat_of busy servers)" 0 'busy servers' &&
    expect_equal "$(stat_of now queue)" 0 queue
}

is_inside() { [ "$(stat_of processes)" = 1 ] && [ "$(stat_of busy servers)" -gt 0 ]; }

# --- Faults -----------------------------------------------------------------------------------------------------

test_fault_busy_refusesWithProbability() {
  fresh netHSM2000 --service ec-p256=5 --seed 3 && nethsm fault busy CKR_OPERATION_ACTIVE --probability 0.5 &&
    RESULT="$(caller burst ec 100 1)" && expect_between "$(value CKR_OPERATION_ACTIVE)" 30 70 'refused of a hundred' &&
    expect_equal "$(stat_of refused_fault ec-p256)" "$(value CKR_OPERATION_ACTIVE)" 'refused by fault' &&
    expect_equal "$(stat_of signed ec-p256)" "$(value CKR_OK)" signed && nethsm fault clear &&
    RESULT="$(caller burst ec 20 1)" && expect_equal "$(value CKR_OK)" 20 'signed after clear'
}

test_fault_deviceError_failsUntilClear() {
  fresh netHSM2000 --service ec-p256=2000 && steps_to_key ec && ask sign && await 60 stat_is in_service ec-p256 1 &&
    nethsm fault device-error && hear && expect_equal "$CODE" CKR_DEVICE_ERROR 'in service' &&
    step sign CKR_DEVICE_ERROR && nethsm set service.ec-p256=5 && nethsm fault clear && step sign CKR_OK CKR_OK && end_steps
}

test_fault_removedAndBack_slotGoesAndComes() {
  fresh netHSM2000 --service ec-p256=2000 && steps_to_key ec && step slots CKR_OK 2 && ask sign &&
    await 60 stat_is in_service ec-p256 1 && nethsm fault removed && hear && expect_equal "$CODE" CKR_DEVICE_REMOVED 'in service' &&
    step slots CKR_OK 0 && step sign CKR_DEVICE_REMOVED && step open CKR_TOKEN_NOT_PRESENT && step token CKR_TOKEN_NOT_PRESENT &&
    nethsm set service.ec-p256=5 && nethsm fault back && step slots CKR_OK 2 && step sign CKR_SESSION_HANDLE_INVALID &&
    step open CKR_OK && step login CKR_OK && step ec CKR_OK && step sign CKR_OK CKR_OK && end_steps
}

test_fault_sessionsLost_oldHandlesInvalidNewOnesWork() {
  fresh netHSM2000 --service ec-p256=5 && steps_to_key ec && step sign CKR_OK CKR_OK && nethsm fault sessions-lost &&
    step sign CKR_SESSION_HANDLE_INVALID && step close CKR_SESSION_HANDLE_INVALID && step open CKR_OK && step login CKR_OK &&
    step ec CKR_OK && step sign CKR_OK CKR_OK && expect_equal "$(stat_of now sessions)" 1 sessions && end_steps
}

# sign_takes LEAST MOST WHAT: no signature takes less than LEAST ms; of up to six one takes MOST at most. Other work on the
# machine only ever adds to a time, so the shortest is the module's own.
sign_takes() {
  local tries least=999999
  for ((tries = 0; tries < 6; tries++)); do
    step sign CKR_OK CKR_OK || return
    least="$(printf '%s\n' "$least" "$MILLIS" | sort -n | head -n 1)"
    ! awk -v v="$least" -v m="$2" 'BEGIN { exit !(v + 0 <= m) }' || break
  done
  expect_between "$least" "$1" "$2" "$3"
}

test_fault_hang_blocksUntilUnhang() {
  fresh netHSM2000 --service ec-p256=100 && steps_to_key ec && nethsm fault hang && ask sign || return
  ! hear 0.7 || { fail "answered while it hangs: $CODE"; return 1; }
  nethsm fault unhang && hear && expect_equal "$CODE" CKR_OK 'after unhang' && expect_between "$MILLIS" 700 60000 'milliseconds' &&
    sign_takes 100 400 'milliseconds afterwards' && end_steps
}

test_fault_slow_multipliesServiceTime() {
  fresh netHSM2000 --service ec-p256=40 && steps_to_key ec && nethsm fault slow 5 && sign_takes 200 500 'milliseconds of five times 40' &&
    nethsm fault clear && sign_takes 40 190 'milliseconds afterwards' && end_steps
}

test_fault_fake_doesNotVerify() {
  fresh netHSM2000 --service ec-p256=5 --service rsa-2048=5 && steps_to_key ec && nethsm fault fake on &&
    step sign CKR_OK CKR_SIGNATURE_INVALID && step rsa CKR_OK && step sign CKR_OK CKR_SIGNATURE_INVALID &&
    step sign-by-length CKR_OK CKR_SIGNATURE_INVALID && nethsm fault fake off && step sign CKR_OK CKR_OK && end_steps
}

test_fault_crashNext_killsOneProcess() {
  local when
  for when in before after; do
    fresh netHSM2000 --service ec-p256=20 && steps_to_key ec && nethsm fault crash-next "$when" && ask sign || return
    ! hear 5 || { fail "lives: $CODE"; return 1; }
    { wait "$STEPS_PROCESS"; } 2>/dev/null
    RESULT="$(caller burst ec 4 1)" && expect_equal "$(value CKR_OK)" 4 'signed by the next' &&
      expect_equal "$(stat_of abandoned ec-p256)" 1 abandoned && expect_equal "$(stat_of busy servers)" 0 'busy servers' || return
  done
}

test_sessions_beyondTheLimit_refusedUntilOneCloses() {
  fresh netHSM2000 --sessions 5 && start_steps && step initialize CKR_OK && step open-all CKR_SESSION_COUNT 5 &&
    expect_equal "$(printf '%s\n' initialize open | caller steps | tail -n 1 | cut -d' ' -f1)" CKR_SESSION_COUNT 'another process' &&
    step close CKR_OK && step open-all CKR_SESSION_COUNT 1 && kill -s KILL "$STEPS_PROCESS" || return
  { wait "$STEPS_PROCESS"; } 2>/dev/null
  expect_equal "$(printf '%s\n' initialize open | caller steps | tail -n 1 | cut -d' ' -f1)" CKR_OK 'after its death'
}

# --- Bad configuration ----------------------------------------------------------------------------------------------

# expect_refused TEXT NAME=VALUE…: C_Initialize answers CKR_GENERAL_ERROR, and one line on stderr.
expect_refused() {
  local text="$1" answer
  shift
  answer="$(env "$@" "$OUT/caller" steps 2>"$WORK/err" <<<initialize)"
  expect_equal "${answer%% *}" CKR_GENERAL_ERROR "$*" && expect_equal "$(wc -l <"$WORK/err")" 1 'lines on stderr' &&
    grep -qF -- "$text" "$WORK/err" || fail "stderr lacks '$text': $(cat "$WORK/err")"
}

test_configuration_bad_oneLineAndError() {
  fresh plain && head -c 1000000 /dev/zero >"$WORK/zeros" && : >"$WORK/empty" || return
  expect_refused 'NETHSM_STATE is not set' -u NETHSM_STATE && expect_refused 'No such file' "NETHSM_STATE=$WORK/none" &&
    expect_refused 'is not a state' "NETHSM_STATE=$WORK/zeros" && expect_refused 'is not a state' "NETHSM_STATE=$WORK/empty" &&
    expect_refused 'NETHSM_MODULE is not set' -u NETHSM_MODULE && expect_refused 'NETHSM_MODULE' "NETHSM_MODULE=$WORK/none" &&
    expect_refused 'not a PKCS#11 module' NETHSM_MODULE=libm.so.6 && expect_refused 'not a PKCS#11 module' "NETHSM_MODULE=$CALLER_MODULE"
}

test_configuration_besideTheLibrary_winsOverTheEnvironment() {
  local copy="$WORK/copy.so" other="$WORK/other"
  cp "$OUT/libnethsm.so" "$copy" && printf 'NETHSM_STATE=%s\nNETHSM_MODULE=%s\n' "$other" "$NETHSM_MODULE" >"$copy.conf"
  fresh plain && "$OUT/nethsm" "$other" create --profile plain &&
    NETHSM_MODULE=/none CALLER_MODULE="$copy" steps_to_key ec && step sign CKR_OK CKR_OK && end_steps &&
    NETHSM_STATE="$other" stat_is signed ec-p256 1 && ! stat_is signed ec-p256 1
}

# expect_bad_usage WORDS: exit 2 and one line on stderr.
expect_bad_usage() {
  local status=0
  # shellcheck disable=SC2086 # words
  nethsm $1 >"$WORK/out" 2>"$WORK/err" || status=$?
  expect_equal "$status" 2 "$1" && expect_equal "$(wc -l <"$WORK/err")" 1 "$1"
}

test_tool_badUsage_oneLineAndExit2() {
  local words
  while read -r words; do
    expect_bad_usage "$words" || return
  done <<'WORDS'
create
create --profile none
create --profile plain --servers 0
create --profile plain --servers 257
create --profile plain --ec-servers 256
create --profile plain --ec-servers -1
create --profile netHSM2000 --ec-servers 8
create --profile yubihsm --ec-servers 1
create --profile plain --ec-servers 2 --servers 2
create --profile plain --queue 4097
create --profile plain --queue 1.5
create --profile plain --rtt -1
create --profile plain --rtt nan
create --profile plain --service rsa-2048
create --profile plain --service rsa-1=3
create --profile plain --busy CKR_OK
create --profile plain --seed -1
create --profile plain --distribution normal
create --profile plain --sessions
set
set servers
set speed=3
fault
fault none
fault busy
fault busy CKR_NONE
fault busy CKR_DEVICE_ERROR --probability 2
fault slow
fault slow 0
fault fake
fault hang now please
stats --fast
frobnicate
WORDS
  local status=0
  nethsm create --profile plain 2>"$WORK/err" || status=$?
  expect_equal "$status" 1 'create over another' && grep -q 'is there already' "$WORK/err"
}

# --- The tests themselves ---------------------------------------------------------------------------------------------

# expect_caught PLANT PATTERN: a module with that bug must fail that test.
expect_caught() {
  if NETHSM_TEST_PATIENCE=6 NETHSM_TEST_OUT="$OUT/$1" NETHSM_TEST_PLANT="-D$1" "$HERE/run.sh" "$2" >"$WORK/planted" 2>&1; then
    fail "$1 passes $2"
  else
    grep -q "^FAIL ${2}" "$WORK/planted" || fail "$1: $(tail -n 2 "$WORK/planted")"
  fi
}

test_planted_placeOfRefusedJobLeaks_found() { [ -n "${NETHSM_TEST_PLANT:-}" ] || expect_caught PLANT_LEAK queue_full; }
test_planted_lateThreadsCostCapacity_found() { [ -n "${NETHSM_TEST_PLANT:-}" ] || expect_caught PLANT_DRIFT rate_short; }
test_planted_deadProcessKeepsJobs_found() { [ -n "${NETHSM_TEST_PLANT:-}" ] || expect_caught PLANT_NO_REAP kill_jobs; }

# shellcheck source=/dev/null
source "$HERE/engines.sh"

# --- Run ----------------------------------------------------------------------------------------------------------------

prepare || { echo "cannot prepare the tests" >&2; exit 1; }
mapfile -t TESTS < <(grep -ohE '^test_[A-Za-z0-9_]+' "$HERE/run.sh" "$HERE/engines.sh" | grep -E -- "$PATTERN")
for name in "${TESTS[@]}"; do
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
