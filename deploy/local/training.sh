# shellcheck shell=bash
# The start-up cache of nodes: classes as they are after linking (JEP 483), and profiles of methods (JEP 515), which the
# JIT compilers of a fresh node would otherwise have to collect. A node of a trial of its own writes it when it ends,
# after a short load; once for each distribution. docs/adr/0072-training-under-load.md says why.

# How long a second launcher waits for the cache of the first.
readonly TRAINING_SECONDS=240
# Of load, unless SLUICE_TRAINING_SECONDS says otherwise; 0 is a start alone.
readonly TRAINING_LOAD_SECONDS=20
readonly TRAINING_LOAD_SECONDS_MAX=120
readonly TRAINING_REQUESTS=500
readonly TRAINING_ACME_CONNECTIONS=4
# No fault of the distribution: the next `up` tries again.
readonly TRAINING_LATER=75

train_nodes() {
  nodes_need_training || return 0
  [[ "$(training_load_seconds)" =~ ^(0|[1-9][0-9]{0,2})$ ]] && (($(training_load_seconds) <= TRAINING_LOAD_SECONDS_MAX)) ||
    die "SLUICE_TRAINING_SECONDS is a number from 0 to $TRAINING_LOAD_SECONDS_MAX, not '$SLUICE_TRAINING_SECONDS'"
  # Of two launchers that share this distribution the second waits for the cache of the first.
  exec 8<>"$DIST/.training"
  # One that is not done by then would write to the same file.
  if flock -w "$TRAINING_SECONDS" 8; then
    ! nodes_need_training || train_cache
  else
    say "warning: another launcher has trained the start-up cache for $TRAINING_SECONDS s: nodes start without it"
  fi
  exec 8>&-
}

# SLUICE_TRAINING names the cache that a node of the training is to write: that node needs none.
nodes_need_training() { [ -z "${SLUICE_TRAINING:-}" ] && [ ! -e "$DIST/ca-api.aot" ] && [ ! -e "$DIST/ca-api.aot.failed" ] && [ -w "$DIST" ]; }

training_load_seconds() { printf '%s' "${SLUICE_TRAINING_SECONDS:-$TRAINING_LOAD_SECONDS}"; }

# Without the cache nodes only start slower, and are slower at first.
train_cache() {
  local status=0 began=$SECONDS
  say "training the start-up cache of this build, once: a trial of its own issues certificates for $(training_load_seconds) s, which takes a minute or two in all (log $DATA/training.log)"
  run_long "$DATA/training.log" train_under_load || status=$?
  if [ "$status" -eq 0 ] && [ -s "$DIST/ca-api.aot.new" ]; then
    mv -f "$DIST/ca-api.aot.new" "$DIST/ca-api.aot"
    say "trained in $((SECONDS - began)) s: $(du -m "$DIST/ca-api.aot" | cut -f 1) MB"
    return 0
  fi
  rm -f "$DIST"/ca-api.aot.new*
  [ "$status" -eq "$TRAINING_LATER" ] || : >"$DIST/ca-api.aot.failed"
  say "warning: no start-up cache, nodes start slower and are slower for some minutes: $(last_words "$DATA/training.log") (log $DATA/training.log)"
}

# For run_long, which puts it in a process of its own. The trial has the launcher's defaults, not what the user chose for another one.
train_under_load() {
  # It holds neither the lock that others wait for nor, when the launcher ends it, anything that runs.
  exec 8>&-
  trap 'exit 1' INT TERM
  # Without it the trial would be made in the root folder.
  TRAINING_TRIAL="$(mktemp -d)" || exit "$TRAINING_LATER"
  trap training_end EXIT
  training_forget
  export SLUICE_TRAINING="$DIST/ca-api.aot.new"
  training_ports
  training_step "$SLUICE_ROOT/sluice" up --detach --data "$TRAINING_TRIAL/data" --port "$TRAINING_PORT" \
    --http-port $((TRAINING_PORT + 1)) --management-port $((TRAINING_PORT + 2)) || exit 1
  [ "$(training_load_seconds)" = 0 ] || training_load "$TRAINING_TRIAL/data" "$TRAINING_PORT" $((TRAINING_PORT + 1)) "$TRAINING_TRIAL"
  # The node writes the cache when it ends.
  training_step "$SLUICE_ROOT/sluice" down --data "$TRAINING_TRIAL/data" || exit 1
  training_holds_no_secret
}

# The cache of a package is published, and was written by a process that had logged in. A search
# that fails is not a clean one: only grep's own "not there" lets the cache pass.
training_holds_no_secret() {
  local data="$TRAINING_TRIAL/data" file status=0
  local secrets="$TRAINING_TRIAL/searched" kinds=("$data"/secrets/* "$data"/*.token "$data/secrets.keys" "$data/acme-eab.json")
  : >"$secrets"
  for file in "${kinds[@]}"; do
    [ -e "$file" ] || training_unsearched "there is no $file"
    training_secrets "$file" | sed '/^$/d' >"$secrets.one" && [ -s "$secrets.one" ] || training_unsearched "no secret can be read from $file"
    cat "$secrets.one" >>"$secrets"
  done
  grep -qaFf "$secrets" "$SLUICE_TRAINING" || status=$?
  case "$status" in
    0) say "the start-up cache holds a secret of the trial that it was trained on"; exit 1 ;;
    1) ;;
    *) training_unsearched "grep ended with $status" ;;
  esac
}

# training_secrets FILE: the secrets in it, a line each. An empty line would be found everywhere.
training_secrets() {
  case "$1" in
    */acme-eab.json) sed -n 's/.*"hmacKey" *: *"\([^"]*\)".*/\1/p' "$1" ;;
    */secrets.keys) sed -n 's/^[0-9][0-9]* //p' "$1" ;;
    *) cat "$1" ;;
  esac
}

training_unsearched() {
  say "the start-up cache cannot be searched for secrets of the trial: $1"
  exit 1
}

# Settings of the user's own nodes; of the launcher's the folder of the distribution is needed, and the Java of a package.
training_forget() {
  local name
  load_forget_settings
  unset JDK_JAVA_OPTIONS JAVA_TOOL_OPTIONS _JAVA_OPTIONS
  for name in $(compgen -e | grep -E '^(SLUICE|SPRING|SERVER|MANAGEMENT|LOGGING)_' || true); do
    [[ "$name" =~ ^SLUICE_(DIST|ROOT|CONFIG|NODE_JAVA|TRAINING_SECONDS)$ ]] || unset "$name"
  done
}

# Sets TRAINING_PORT, the first of three that are free, below those that the kernel gives to clients.
training_ports() {
  local tries
  for ((tries = 0; tries < 20; tries++)); do
    TRAINING_PORT=$((31000 + RANDOM % 500 * 3))
    port_is_busy "$TRAINING_PORT" || port_is_busy $((TRAINING_PORT + 1)) || port_is_busy $((TRAINING_PORT + 2)) || return 0
  done
  say "the ports of a training, from 31000, are in use"
  exit "$TRAINING_LATER"
}

# training_step COMMAND…: in the background, since bash runs a trap only between commands. Reads TRAINING_INPUT.
training_step() {
  "$@" <"${TRAINING_INPUT:-/dev/null}" 8>&- 9>&- &
  TRAINING_CHILD=$!
  wait "$TRAINING_CHILD" || return 1
  TRAINING_CHILD=''
}

# training_load DATA PORT HTTP-PORT FOLDER: the trial in DATA issues; enrollments of each form, what clients ask for besides, and
# errors. A quarter of the time is for ACME.
training_load() {
  local seconds
  seconds="$(training_load_seconds)"
  training_java CsrCorpus "$TRAINING_REQUESTS" "$4/csrs" || exit 1
  # Not every distribution has ACME; of one that has it, REST alone is a good training, too.
  printf 'ca trial https://localhost:%s/acme/trial/directory %s ready 9999999 %s\nload trial %s %s\n' \
    "$2" "$1/root.pem" "$1/acme-eab.json" "$TRAINING_ACME_CONNECTIONS" $((1 + seconds / 4)) >"$4/acme"
  TRAINING_INPUT="$4/acme" training_java bench/acme/AcmeBench "$4/csrs" || true
  training_java training/TrainingLoad "$1" "$2" "$3" "$4/csrs" "$seconds" || exit 1
}

# training_java CLASS ARGUMENTS…: from its source, since a user's build has no classes of the load tests.
training_java() {
  training_step timeout "$TRAINING_SECONDS" "$JAVA_HOME/bin/java" -XX:+UseSerialGC -cp "$DIST/lib/*" "$SLUICE_ROOT/loadtest/src/main/java/org/sluiceca/load/$1.java" "${@:2}"
}

# Whatever the way out, nothing of the training runs on. A node that is not wanted any more need not write its cache.
training_end() {
  local status=$? DATA="$TRAINING_TRIAL/data" pid
  trap '' INT TERM
  if [ -n "${TRAINING_CHILD:-}" ]; then
    pid="$(node_pid 0)"
    # The process group: a node that writes its cache has a JVM of its own for that.
    [ -z "$pid" ] || kill -s KILL -- "-$pid" 2>/dev/null || true
    kill -s TERM "$TRAINING_CHILD" 2>/dev/null || true
    wait "$TRAINING_CHILD" 2>/dev/null || true
  fi
  [ "$status" -eq 0 ] || [ ! -d "$DATA" ] || "$SLUICE_ROOT/sluice" down --data "$DATA" >/dev/null 2>&1 || true
  [ "$status" -eq 0 ] || rm -f "$DIST"/ca-api.aot.new*
  rm -rf "$TRAINING_TRIAL"
}
