# shellcheck shell=bash
# Tests of `./sluice drill` that need no service; run.sh has what they are written with, and runs them.

test_drill_badValues_exit2() {
  local bad
  for bad in '' 'backup' 'restore failover' 'restore --seconds 4' 'restore --seconds 61' 'restore --stall 3' 'failover --stall 0' 'failover --plant signed-again' \
    'restore --plant asynchronous' 'restore --plant deleted-certificate' 'failover --brief=yes' 'restore --data x' 'failover --port 8443' \
    'rolling --brief' 'rolling --stall 3' 'rolling --plant asynchronous' \
    'rolling --load 96' 'rolling --load -1' 'rolling --load half' 'restore --load 40' 'failover --load 40'; do
    # shellcheck disable=SC2086 # words
    expect_exit 2 "$SLUICE" drill $bad || return 1
  done
}

# A pid file may name a process that has nothing to do with the drill.
test_drill_conductorKilled_itsServersEndAndNoOther() {
  # shellcheck disable=SC2153 # run.sh sets it
  local work="$WORK/drill" ours other
  mkdir -p "$work/postgres/s1" "$work/postgres/s2"
  (cd "$work/postgres/s1" && exec sleep 97) &
  ours=$!
  (cd / && exec sleep 97) &
  other=$!
  printf '%s\n' "$ours" >"$work/postgres/s1/postmaster.pid"
  printf '%s\n' "$other" >"$work/postgres/s2/postmaster.pid"
  # shellcheck disable=SC2016 # expanded by eval
  await 20 eval '[ "$(readlink "/proc/$ours/cwd")" = "$work/postgres/s1" ]' || return 1
  DATA="$work" part drill_stop_servers && expect_ended "$ours" && expect_lives "$other"
  kill "$other"
}

# A process that it still starts while it ends would work in folders that are gone, and no other process would end it.
test_drill_interrupted_itsProgramEndsBeforeItsFolderGoes() {
  local work="$WORK/drill-interrupted" child
  mkdir -p "$work"
  # shellcheck disable=SC2016 # expanded in the inner shell
  bash -c 'trap "sleep 1; touch \"$1/late\" && touch \"$1.was-there\"; exit" TERM; touch "$1/ready"; while :; do sleep 0.1; done' - "$work" &
  child=$!
  await 20 test -e "$work/ready" || return 1
  DATA="$work" part eval "LONG_CHILD=$child; drill_end" && expect_ended "$child" && [ -e "$work.was-there" ] && [ ! -e "$work" ]
}
