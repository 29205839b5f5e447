# shellcheck shell=bash
# `load PLAN` (load.sh) with Gatling as the client: its options, and runs that are resumed. docs/performance/GATLING.md says how to read it.

readonly SCENARIO_OPTIONS='clients connections credentials when-refused resume'

# The plan says so; keys of Gatling's do, too.
load_is_scenario() { grep -Eq '^[[:space:]]*(driver[[:space:]]*=[[:space:]]*gatling|gatling\.)' "$LOAD_PLAN"; }

load_is_long() { grep -q '^[[:space:]]*gatling\.soak-seconds' "$LOAD_PLAN"; }

load_scenario_options() {
  local name
  LOAD_CHANGES=()
  [ -z "${CHOSEN[crowd]:-}${CHOSEN[orders]:-}" ] || bad_usage "--crowd and --orders belong to plans without Gatling; it takes --clients"
  for name in nodes rate seconds clients; do
    [ -n "${CHOSEN[$name]:-}" ] || continue
    case "$name" in
      nodes) require_number nodes 1 30 ;;
      rate) require_number rate 1 99999 ;;
      clients) require_number clients 1 1000000 ;;
      seconds)
        if load_is_long; then require_number seconds 60 72000; else require_number seconds 1 600; fi
        ;;
    esac
    LOAD_CHANGES+=("--$name" "${OPTION[$name]}")
  done
  load_choice connections keep new
  load_choice credentials token certificate
  load_choice when-refused leave obey ignore
  if [ -n "${CHOSEN[resume]:-}" ]; then
    load_resume
  else
    [ -n "${OPTION[out]:-}" ] || load_scenario_out
    OPTION[out]="$(absolute_path "${OPTION[out]}")"
    [ ! -e "${OPTION[out]}/work" ] || bad_usage "${OPTION[out]} has a run that is not over: --resume ${OPTION[out]}, or another --out"
  fi
}

# A second run of a day has its time too.
load_scenario_out() {
  OPTION[out]="$SLUICE_ROOT/loadtest/results/$(date -u +%Y-%m-%d)-$(basename "$LOAD_PLAN" .properties)"
  [ ! -e "${OPTION[out]}" ] ||
    OPTION[out]="$SLUICE_ROOT/loadtest/results/$(date -u +%Y-%m-%dT%H%M%SZ)-$(basename "$LOAD_PLAN" .properties)"
}

load_choice() {
  local name="$1" word
  [ -n "${CHOSEN[$name]:-}" ] || return 0
  shift
  for word in "$@"; do
    [ "${OPTION[$name]}" != "$word" ] || { LOAD_CHANGES+=("--$name" "$word"); return 0; }
  done
  bad_usage "--$name is one of $*, not '${OPTION[$name]}'"
}

# What was chosen for the first sitting holds for all.
load_resume() {
  [ ${#LOAD_CHANGES[@]} -eq 0 ] && [ -z "${CHOSEN[out]:-}${CHOSEN[node-heap]:-}" ] || bad_usage "--resume goes on as the run was begun: no other option"
  OPTION[out]="$(absolute_path "${OPTION[resume]}")"
  [ -r "${OPTION[out]}/work/$(basename "$LOAD_PLAN")" ] ||
    bad_usage "nothing to resume in ${OPTION[out]}: no run of $(basename "$LOAD_PLAN" .properties) that was interrupted"
  LOAD_PLAN="${OPTION[out]}/work/$(basename "$LOAD_PLAN")"
}

# A long run keeps its trial where it can be found again; any other throws it away.
load_scenario_folder() {
  if load_is_long; then
    LOAD_WORK="${OPTION[out]}/work"
    mkdir -p "$LOAD_WORK" || die "cannot create $LOAD_WORK"
    # Held by the judging JVM too: it may live some seconds longer than a launcher that was killed.
    exec 7<>"$LOAD_WORK/.lock"
    flock -w 30 7 || die "another ./sluice load works on ${OPTION[out]}: wait for it, or end it"
    if [ -n "${CHOSEN[resume]:-}" ]; then load_leftovers; else load_remember; fi
  else
    LOAD_WORK="$(mktemp -d)"
  fi
}

load_remember() {
  cp "$LOAD_PLAN" "$LOAD_WORK/"
  printf '%s\n' "${OPTION[node-heap]}" >"$LOAD_WORK/node-heap"
}

# Nodes of a run whose launcher was killed still live, on an HSM and on ports that are not those of the run that goes on.
load_leftovers() {
  OPTION[node-heap]="$(cat "$LOAD_WORK/node-heap")" || die "nothing to resume in ${OPTION[out]}"
  [ ! -d "$LOAD_WORK/data" ] || "$SLUICE_ROOT/sluice" down --data "$LOAD_WORK/data" >/dev/null ||
    die "the trial in $LOAD_WORK did not stop: ./sluice down --data $LOAD_WORK/data"
  # Killed while its keys were made.
  [ -e "$LOAD_WORK/sitting-0" ] || rm -rf "$LOAD_WORK/data" "$LOAD_WORK/hsm"
}

# A run that has results of its own is over, and so is one of which nothing was measured yet: what is left of any other long one is
# for --resume. Results of a run before it in the same folder are not its own.
load_scenario_is_over() {
  ! load_is_long || [ ! -e "$LOAD_WORK/sitting-0" ] || [ "${OPTION[out]}/results.json" -nt "$LOAD_WORK/$(basename "$LOAD_PLAN")" ]
}

# Gatling, its simulation, and the names of its libraries, rebuilt only when their sources have changed.
load_scenario_classes() {
  local hash
  load_classes
  load_lock
  hash="$(cd "$SLUICE_ROOT" && find pom.xml loadtest/pom.xml loadtest/gatling/pom.xml loadtest/src/main loadtest/gatling/src/main -type f -print0 |
    sort -z | xargs -0 sha256sum | sha256sum)"
  if [ "$(cat "$WORK/gatling.sources" 2>/dev/null)" != "$hash" ] || [ ! -s "$SLUICE_ROOT/loadtest/gatling/target/class-path" ]; then
    say "building Gatling's simulation (the first time its libraries are fetched)"
    maven "$WORK/gatling.log" -q -DskipTests -Dspotless.check.skip=true -pl loadtest,loadtest/gatling compile ||
      die "Gatling's simulation does not build: $(last_words "$WORK/gatling.log") (log $WORK/gatling.log)"
    printf '%s\n' "$hash" >"$WORK/gatling.sources"
  fi
  exec 8>&-
}
