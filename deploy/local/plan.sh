# shellcheck shell=bash
# `plan`: what a demand needs of HSMs, nodes and database, by formulas over measured costs. Nothing is started.

readonly PLAN_SIZING="$SLUICE_ROOT/loadtest/sizing"

plan() {
  parse_options 'demand machine calibration hsm-rate hsm-engines cores database-cores json' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "plan takes no argument: '${ARGUMENTS[0]}'"
  [ -n "${CHOSEN[calibration]:-}" ] || [ -n "${CHOSEN[hsm-rate]:-}" ] ||
    bad_usage "what the HSM can: --calibration FILE (what 'ceremony calibrate' printed), or --hsm-rate ec-p256=400,rsa-2048=90"
  local words=(--demand "$(absolute_path "${OPTION[demand]:-$PLAN_SIZING/hundred-cas.json}")"
    --machine "$(absolute_path "${OPTION[machine]:-$PLAN_SIZING/machine.json}")") name
  [ -z "${CHOSEN[calibration]:-}" ] || words+=(--calibration "$(absolute_path "${OPTION[calibration]}")")
  for name in hsm-rate hsm-engines cores database-cores; do
    [ -z "${CHOSEN[$name]:-}" ] || words+=("--$name" "${OPTION[$name]}")
  done
  [ "${OPTION[json]:-false}" = false ] || words+=(--format json)
  prerequisites_to_run
  build
  load_classes
  exec "$JAVA_HOME/bin/java" -cp "$SLUICE_ROOT/loadtest/target/classes:$DIST/lib/*" \
    org.sluiceca.load.sizing.SizingCommand "${words[@]}"
}
