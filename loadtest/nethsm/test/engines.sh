# shellcheck shell=bash
# Part of run.sh: devices with servers for EC alone (`ec-servers`). What is hung stands still, so most need no luck in time.

# An RSA-4096 key takes seconds to make: once, and only for those who want it.
rsa_4096() { [ -e "$WORK/rsa-4096" ] || { timeout 60 "$OUT/caller" rsa 4096 && : >"$WORK/rsa-4096"; }; }

# start_backlog KEY CLASS: twelve callers that sign with it without end, so that some always wait.
start_backlog() {
  "$OUT/caller" load "$1" 12 0 $(($(caller clock) + 60000000000)) >/dev/null 2>&1 &
  BACKLOG=$!
  await 60 backlog_stands "$2"
}
backlog_stands() { [ "$(stat_of in_queue "$1")" -ge 6 ]; }
end_backlog() {
  kill -s KILL "$BACKLOG"
  { wait "$BACKLOG"; } 2>/dev/null || return 0
}
# expect_sign LEAST MOST: an EC signature takes that many milliseconds.
expect_sign() { sign_takes "$1" "$2" 'milliseconds of an EC signature'; }

# --- Rates ------------------------------------------------------------------------------------------------

# run_both THREADS: EC_COUNT and RSA_COUNT in three seconds, by that many callers each, both at once.
run_both() {
  local key from callers=()
  from=$(($(caller clock) + 1200000000))
  for key in ec rsa; do
    timeout -s KILL 15 "${PRIORITY[@]}" "$OUT/caller" load "$key" "$1" "$from" $((from + 3000000000)) >"$WORK/load-$key" &
    callers+=($!)
  done
  wait "${callers[@]}"
  EC_COUNT="$(value window "$(cat "$WORK/load-ec")")" RSA_COUNT="$(value window "$(cat "$WORK/load-rsa")")"
}

# expect_both EC_LEAST EC_MOST RSA_LEAST RSA_MOST SETTINGS…: signatures in three seconds of four servers that 32 callers
# keep busy. A busy machine takes some away: a second try is fair.
expect_both() {
  local ec_least="$1" ec_most="$2" rsa_least="$3" rsa_most="$4"
  shift 4
  for _ in 1 2; do
    fresh netHSM2000 --servers 4 --service ec-p256=20 --service rsa-2048=40 "$@" && run_both 16 || return
    printf '    EC %s, RSA %s, utilisation %s, of EC %s, of the rest %s\n' "$EC_COUNT" "$RSA_COUNT" "$(stat_of utilisation servers)" \
      "$(stat_of ec_utilisation servers)" "$(stat_of rest_utilisation servers)"
    expect_equal "$(stat_of now queue)" 0 'left in the queue' || return
    ((EC_COUNT < ec_least || RSA_COUNT < rsa_least)) || break
  done
  expect_between "$EC_COUNT" "$ec_least" "$ec_most" 'EC signatures' && expect_between "$RSA_COUNT" "$rsa_least" "$rsa_most" 'RSA signatures'
}

# 100 and 50 a second, within 3 %. No caller is overtaken by its own kind: 14 at most are served before it, by two servers.
test_rate_enginesOfTheirOwn_eachKindAtItsFullRate() {
  expect_both 291 309 145 155 --ec-servers 2 && expect_between "$(stat_of wait_max_ms ec-p256)" 100 210 'longest wait of EC' &&
    expect_between "$(stat_of wait_max_ms rsa-2048)" 200 400 'longest wait of RSA'
}

# One queue for both: who comes has the same wait of about 200 ms, of whatever kind, so that each kind signs some 70 a second.
test_rate_enginesShared_sameLoadSharesThem() { expect_both 190 230 175 210; }

# --- The queue --------------------------------------------------------------------------------------------

test_queue_enginesOfTheirOwn_ecDoesNotWaitBehindRsa() {
  fresh netHSM2000 --servers 4 --ec-servers 2 --service ec-p256=20 && rsa_4096 && steps_to_key ec && start_backlog rsa-4096 rsa-4096 &&
    expect_sign 20 300 && expect_sign 20 300 && expect_sign 20 300 && end_steps && backlog_stands rsa-4096 &&
    expect_equal "$(stat_of wait_max_ms ec-p256)" 0.000 'longest wait of EC' && await 60 only_rsa_engines_are_busy && nethsm stats >"$WORK/text" &&
    grep -q '^  2 for EC: busy 0, utilisation 0.0 %; 2 for the rest: busy 2, utilisation ' "$WORK/text" || { fail "$(nethsm stats)"; return 1; }
  end_backlog
}

# Half of all servers, and those of RSA alone: in one of the half seconds that are looked at, for a busy machine takes some.
only_rsa_engines_are_busy() {
  nethsm stats --reset >/dev/null && sleep 0.5 && expect_between "$(stat_of utilisation servers)" 0.45 0.55 'utilisation of all' &&
    expect_equal "$(stat_of ec_utilisation servers)" 0.00000 'of EC' && expect_between "$(stat_of rest_utilisation servers)" 0.9 1.1 'of the rest'
}

# One RSA job is served and four fill the queue: EC finds its engine idle, once.
test_queue_enginesFull_boundCountsBothKinds() {
  fresh netHSM2000 --servers 2 --ec-servers 1 --queue 4 --service rsa-2048=50 --service ec-p256=50 && nethsm fault hang || return
  caller burst rsa 5 1 >"$WORK/rsa" &
  local rsa=$! ec
  await 60 stat_is in_queue rsa-2048 4 || return
  caller burst ec 3 1 >"$WORK/ec" &
  ec=$!
  await 60 stat_is in_service ec-p256 1 && await 60 stat_is refused_full ec-p256 2 && expect_equal "$(stat_of in_queue rsa-2048)" 4 queue &&
    expect_equal "$(stat_of ec_busy servers)$(stat_of rest_busy servers)" 11 'busy of each kind' && nethsm fault unhang &&
    wait "$rsa" "$ec" && expect_equal "$(value CKR_OK "$(cat "$WORK/rsa")")" 5 'RSA signed' &&
    expect_equal "$(value CKR_OK "$(cat "$WORK/ec")")" 1 'EC signed' && expect_equal "$(stat_of max queue)" 4 'longest queue'
}

# --- At run time ------------------------------------------------------------------------------------------------

# Servers that become EC's end their RSA job first; an EC job that came behind RSA is then the first.
test_set_ecServersAtRunTime_takesEffect() {
  fresh netHSM2000 --servers 4 --service ec-p256=20 --service rsa-2048=320 && steps_to_key ec && start_backlog rsa rsa-2048 &&
    expect_sign 400 2000 && await 60 stat_is in_service rsa-2048 4 && nethsm fault hang && nethsm set ec-servers=2 && ask sign &&
    await 60 stat_is in_queue ec-p256 1 && expect_equal "$(stat_of in_service rsa-2048)" 4 'in service as before' && nethsm fault unhang &&
    hear && expect_equal "$CODE" CKR_OK 'after unhang' && await 60 stat_is in_service rsa-2048 2 && expect_sign 20 300 &&
    nethsm set ec-servers=3 && await 60 stat_is in_service rsa-2048 1 && nethsm set ec-servers=0 && await 60 stat_is in_service rsa-2048 4 &&
    expect_sign 400 2000 && end_steps || { fail "$(nethsm stats)"; return 1; }
  end_backlog
}

# Four EC jobs before one server of 400 ms; after 200 ms or more the other serves EC too, from then: the last waits that and 400 ms.
test_set_ecServersToNone_idleServerBeginsNothingInThePast() {
  fresh netHSM2000 --servers 2 --ec-servers 1 --service ec-p256=400 || return
  caller burst ec 4 1 >/dev/null &
  local burst=$!
  await 60 stat_is in_queue ec-p256 3 && sleep 0.2 && nethsm set ec-servers=0 && wait "$burst" &&
    expect_between "$(stat_of wait_max_ms ec-p256)" 595 1150 'longest wait'
}

test_tool_ecServers_checkedTogetherWithServers() {
  local words
  fresh netHSM2000 --servers 4 --ec-servers 3 || return
  for words in 'set ec-servers=4' 'set servers=3' 'set servers=2 ec-servers=2' 'set ec-servers=-1' 'set ec-servers=1.5' 'set ec-servers='; do
    expect_bad_usage "$words" && expect_equal "$(stat_of count servers)$(stat_of ec_count servers)" 43 "unchanged by $words" || return
  done
  nethsm set servers=2 ec-servers=1 && expect_equal "$(stat_of ec_count servers)$(stat_of rest_count servers)" 11 'of each kind' &&
    nethsm set ec-servers=5 servers=7 && expect_equal "$(stat_of ec_count servers)$(stat_of rest_count servers)" 52 'of each kind' &&
    nethsm set servers=1 ec-servers=0 && expect_equal "$(stat_of ec_count servers)$(stat_of rest_count servers)" 01 'of each kind'
}

# --- Deaths -----------------------------------------------------------------------------------------------------

# An EC job dies half in the queue, with the lock, behind RSA jobs that wait.
test_kill_withTheLockAndEngines_bothKindsGoOn() {
  make -s -j2 -C "$HERE/.." OUT="$OUT/die" PLANT=-DPLANT_DIE "$OUT/die/libnethsm.so" &&
    fresh netHSM2000 --servers 2 --ec-servers 1 --service rsa-2048=400 --service ec-p256=20 && nethsm fault hang || return
  caller burst rsa 4 1 >"$WORK/rsa" &
  local rsa=$! status=0
  await 60 stat_is in_queue rsa-2048 3 || return
  { CALLER_MODULE="$OUT/die/libnethsm.so" "$OUT/caller" burst ec 3 1 >/dev/null 2>&1 || status=$?; } 2>/dev/null
  expect_equal "$status" 137 'exit of the one that dies' && expect_equal "$(stat_of in_queue rsa-2048)" 3 'queue after the repair' &&
    nethsm fault unhang && expect_equal "$(value CKR_OK "$(caller burst ec 4 1)")" 4 'EC signed' && wait "$rsa" &&
    expect_equal "$(value CKR_OK "$(cat "$WORK/rsa")")" 4 'RSA signed' && expect_equal "$(stat_of abandoned ec-p256)" 1 abandoned &&
    expect_equal "$(stat_of busy servers)$(stat_of now queue)" 00 'busy and queue'
}

test_planted_waitsBehindTheOtherKind_found() { [ -n "${NETHSM_TEST_PLANT:-}" ] || expect_caught PLANT_HEAD_OF_LINE queue_enginesOf; }
