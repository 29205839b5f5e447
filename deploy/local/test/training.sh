# shellcheck shell=bash
# Tests of the training of the start-up cache, with stand-ins for the trial and its load. Sourced by run.sh.

# training NAME [CODE]: trains the distribution $WORK/train-NAME with a launcher and a Java of this test.
training() {
  local place="$WORK/train-$1"
  mkdir -p "$place/bin" "$place/data" "$place/dist/lib" "$place/tmp"
  cat >"$place/sluice" <<SLUICE
#!/bin/bash
echo "\$1 \${SLUICE_LINE_PLACES:-} \${JDK_JAVA_OPTIONS:-}" >>"$place/calls"
if [ "\$1" = up ]; then
  env >"$place/environment"
  mkdir -p "\$4/secrets"
  printf 'a-pin\n\n' >"\$4/secrets/issuing.pin"
  echo a-token >"\$4/enroll.token"
  printf '# keys\n1 a-key-of-secrets\n' >"\$4/secrets.keys"
  echo '{"kid":"a-kid","hmacKey":"an-hmac-key"}' >"\$4/acme-eab.json"
  [ ! -e "$place/lacks" ] || rm -r "\$4"/\$(cat "$place/lacks")
  [ ! -e "$place/hang" ] || { echo \$\$ >"$place/hung"; exec sleep 97; }
elif [ ! -e "$place/mute" ]; then
  { echo cache; cat "$place/leaks" 2>/dev/null || :; } >"\$SLUICE_TRAINING"
fi
SLUICE
  printf '#!/bin/bash\necho "java %s" >>"%s/calls"\ncase "$*" in */TrainingLoad.java*) [ ! -e "%s/no-load" ] || { echo "sluice: nothing was issued"; exit 1; } ;; esac\n' '${*: -1}' "$place" "$place" >"$place/bin/java"
  chmod +x "$place/sluice" "$place/bin/java"
  # shellcheck disable=SC2016 # expanded in the inner shell
  TMPDIR="$place/tmp" DATA="$place/data" SLUICE_DIST="$place/dist" part eval 'source "$SLUICE_ROOT/deploy/local/load.sh"; echo $$ >"'"$place"'/launcher"; SLUICE_ROOT="'"$place"'"; JAVA_HOME="$SLUICE_ROOT"; '"${2:-:}"'; train_nodes' 2>"$WORK/err"
}

# Nothing of the trial is left, and no half of a cache.
expect_no_remains() {
  [ -z "$(ls -A "$WORK/train-$1/tmp")" ] || fail "a trial was left" || return 1
  [ -z "$(ls "$WORK/train-$1/dist" | grep new)" ] || fail "half a cache was left: $(ls "$WORK/train-$1/dist")"
}

test_training_cacheOfTheNode_isTheDistributions_onceAndWithoutTheUsersSettings() {
  SLUICE_LINE_PLACES=7 JDK_JAVA_OPTIONS=-Xint training good && expect_error 'trained in' &&
    expect_equal "$(cat "$WORK/train-good/dist/ca-api.aot")" cache && expect_no_remains good &&
    expect_equal "$(grep -c '^java ' "$WORK/train-good/calls")" 3 && expect_equal "$(sed -n '1p;$p' "$WORK/train-good/calls")" $'up  \ndown  ' || return 1
  grep -qx "SLUICE_DIST=$WORK/train-good/dist" "$WORK/train-good/environment" || fail "the trial would build a distribution" || return 1
  training good && expect_equal "$(cat "$WORK/err")" '' && expect_equal "$(grep -c '^up' "$WORK/train-good/calls")" 1
}

test_training_loadFails_warnsStopsTheTrialAndIsNotTriedAgain() {
  mkdir -p "$WORK/train-bad"
  : >"$WORK/train-bad/no-load"
  training bad && expect_error 'warning: no start-up cache' && expect_error 'nothing was issued' && expect_no_remains bad &&
    expect_equal "$(tail -n 1 "$WORK/train-bad/calls")" 'down  ' && [ ! -e "$WORK/train-bad/dist/ca-api.aot" ] &&
    training bad && expect_equal "$(grep -c '^up' "$WORK/train-bad/calls")" 1
}

test_training_noCacheWritten_warns() {
  mkdir -p "$WORK/train-mute"
  : >"$WORK/train-mute/mute"
  training mute && expect_error 'warning: no start-up cache' && [ -e "$WORK/train-mute/dist/ca-api.aot.failed" ] && expect_no_remains mute
}

# Another program's ports say nothing about this distribution.
test_training_portsBusy_warnsAndIsTriedAgain() {
  training busy 'port_is_busy() { true; }' && expect_error 'the ports of a training, from 31000, are in use' &&
    [ ! -e "$WORK/train-busy/dist/ca-api.aot.failed" ] && expect_no_remains busy && training busy && expect_error 'trained in'
}

# A trial in the root folder would be the user's own.
test_training_noTemporaryFolder_warnsMakesNoTrialAndIsTriedAgain() {
  # shellcheck disable=SC2016 # expanded in the inner shell
  training unplaced 'TMPDIR="$SLUICE_ROOT/missing"; export TMPDIR' && expect_error 'warning: no start-up cache' && [ ! -e "$WORK/train-unplaced/calls" ] &&
    [ ! -e "$WORK/train-unplaced/dist/ca-api.aot.failed" ] && training unplaced && expect_error 'trained in'
}

# Each kind of secret that a trial has; a package with it would be published.
test_training_cacheWithASecretOfItsTrial_isRefused() {
  local secret
  for secret in a-pin a-token a-key-of-secrets an-hmac-key; do
    mkdir -p "$WORK/train-leak-$secret"
    printf 'classes\0%s\0and words' "$secret" >"$WORK/train-leak-$secret/leaks"
    training "leak-$secret" && expect_error 'holds a secret of the trial' && expect_no_remains "leak-$secret" &&
      [ ! -e "$WORK/train-leak-$secret/dist/ca-api.aot" ] || fail "$secret" || return 1
  done
}

test_training_secretsNotThere_cacheIsRefused() {
  local kind number=0
  for kind in 'secrets/*' '*.token' secrets.keys acme-eab.json; do
    number=$((number + 1))
    mkdir -p "$WORK/train-unread-$number"
    printf '%s' "$kind" >"$WORK/train-unread-$number/lacks"
    training "unread-$number" && expect_error 'cannot be searched for secrets' && [ ! -e "$WORK/train-unread-$number/dist/ca-api.aot" ] || fail "$kind" || return 1
  done
}

test_training_zeroSeconds_isAStartAlone_wrongNumberRefused() {
  SLUICE_TRAINING_SECONDS=0 training zero && ! grep -q '^java' "$WORK/train-zero/calls" && [ -s "$WORK/train-zero/dist/ca-api.aot" ] || return 1
  ! SLUICE_TRAINING_SECONDS=2m training wrong || return 1
  expect_error "SLUICE_TRAINING_SECONDS is a number from 0 to 120, not '2m'"
}

test_training_distributionThatCannotBeWritten_isLeftAlone() {
  SLUICE_DIST="$WORK/no-such" part train_nodes 2>"$WORK/err" && expect_equal "$(cat "$WORK/err")" ''
}

test_training_twoLaunchers_oneTrains() {
  training both & local first=$!
  training both && wait "$first" && expect_equal "$(grep -c '^up' "$WORK/train-both/calls")" 1
}

test_training_interrupted_leavesNothingRunning() {
  local place="$WORK/train-stopped" launcher
  mkdir -p "$place"
  : >"$place/hang"
  training stopped & launcher=$!
  await 20 test -s "$place/hung" || return 1
  # A start that is interrupted ends in this way, whichever signal it was.
  kill -s TERM "$(cat "$place/launcher")"
  expect_ended "$(cat "$place/hung")" && ! wait "$launcher" && await 20 expect_no_remains stopped &&
    [ ! -e "$place/dist/ca-api.aot.failed" ] || fail "an interrupted training counts as failed"
}
