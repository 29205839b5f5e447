# shellcheck shell=bash
# `plan`: what a demand needs of HSMs, nodes and database, by formulas over measured costs; `plan table`: what a core and an HSM
# do a second by the kind of key. Nothing is started.

readonly PLAN_SIZING="$SLUICE_ROOT/loadtest/sizing"

plan() {
  parse_options 'demand machine calibration hsm-rate hsm-engines hsm hsm-models hsms cores database-cores json' "$@"
  local words=() name table=no
  case "${ARGUMENTS[*]:-}" in
    '') words+=(--demand "$(absolute_path "${OPTION[demand]:-$PLAN_SIZING/hundred-cas.json}")") ;;
    table) table=yes ;;
    *) bad_usage "plan takes no argument but table: '${ARGUMENTS[*]}'" ;;
  esac
  if [ "$table" = yes ]; then
    for name in demand hsms cores database-cores; do
      [ -z "${CHOSEN[$name]:-}" ] || bad_usage "--$name belongs to a plan, not to the table"
    done
  elif [ -z "${CHOSEN[calibration]:-}${CHOSEN[hsm-rate]:-}${CHOSEN[hsm]:-}" ]; then
    bad_usage "what the HSM can: --calibration FILE (what 'ceremony calibrate' printed), --hsm-rate ec-p256=400,rsa-2048=90, or --hsm MODEL of a file of published figures"
  fi
  words+=(--table "$table" --machine "$(absolute_path "${OPTION[machine]:-$PLAN_SIZING/machine.json}")"
    --hsm-models "$(absolute_path "${OPTION[hsm-models]:-$PLAN_SIZING/hsm-models.json}")")
  [ -z "${CHOSEN[calibration]:-}" ] || words+=(--calibration "$(absolute_path "${OPTION[calibration]}")")
  if [ -n "${CHOSEN[hsms]:-}" ]; then require_number hsms 1 100000; fi
  for name in hsm-rate hsm-engines hsm hsms cores database-cores; do
    [ -z "${CHOSEN[$name]:-}" ] || words+=("--$name" "${OPTION[$name]}")
  done
  [ "${OPTION[json]:-false}" = false ] || words+=(--format json)
  check_plan_files
  prerequisites_to_run
  build
  load_classes
  exec "$JAVA_HOME/bin/java" -Dstdout.encoding=UTF-8 -Dstderr.encoding=UTF-8 -cp "$SLUICE_ROOT/loadtest/target/classes:$DIST/lib/*" \
    org.sluiceca.load.sizing.SizingCommand "${words[@]}"
}

# What is wrong on the command line shows before a build.
check_plan_files() {
  local name file model models=()
  for name in demand machine hsm-models calibration; do
    [ -z "${CHOSEN[$name]:-}" ] || require_file "$name"
  done
  [ -n "${CHOSEN[hsm]:-}" ] || return 0
  file="$(absolute_path "${OPTION[hsm-models]:-$PLAN_SIZING/hsm-models.json}")"
  mapfile -t models < <(grep -oE '"name"[[:space:]]*:[[:space:]]*"[^"]*"' "$file" | sed -E 's/.*"([^"]*)"$/\1/')
  for model in "${models[@]}"; do
    [ "$model" != "${OPTION[hsm]}" ] || return 0
  done
  bad_usage "--hsm ${OPTION[hsm]} is not in $file; it has: ${models[*]}"
}
