# shellcheck shell=bash
# `load nodes`: the plan loadtest/plans/nodes.properties with several numbers of nodes, one run after another, each on a trial of
# its own, and a comparison of their results.

readonly LOAD_NODES_COUNTS=1,2,4,8

load_nodes() {
  local plan="$LOAD_PLANS/nodes.properties" words=() name count counts status=0
  load_forget_settings
  # The number of nodes is `up`'s option, too, and 1 there.
  OPTION[nodes]="$LOAD_NODES_COUNTS"
  parse_options 'out nodes rate seconds node-heap' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "load nodes takes no argument: '${ARGUMENTS[0]}'"
  counts="$(load_nodes_counts "${OPTION[nodes]}")" || bad_usage "--nodes is two to eight different numbers up to 30, e.g. $LOAD_NODES_COUNTS, not '${OPTION[nodes]}'"
  [ -n "${OPTION[out]:-}" ] || OPTION[out]="$(load_nodes_out)"
  OPTION[out]="$(absolute_path "${OPTION[out]}")"
  # As load.sh says of them, before anything is built.
  [ -z "${CHOSEN[rate]:-}" ] || require_number rate 1 99999
  [ -z "${CHOSEN[seconds]:-}" ] || require_number seconds 1 600
  for name in rate seconds node-heap; do
    [ -z "${CHOSEN[$name]:-}" ] || words+=("--$name" "${OPTION[$name]}")
  done
  prerequisites_to_run
  require_tools gnuplot:gnuplot-nox
  build
  load_classes
  mkdir -p "${OPTION[out]}"
  for count in $counts; do
    # What was there is of another run; it must not pass for this one's.
    rm -f "${OPTION[out]}/$count/results.json"
    say "$count of $counts nodes"
    run_long - "$SLUICE_ROOT/sluice" load "$plan" --nodes "$count" --out "${OPTION[out]}/$count" "${words[@]}" || status=$?
    [ "$status" -lt 2 ] || exit "$status"
    [ -s "${OPTION[out]}/$count/results.json" ] || die "the run with $count nodes has left no results"
    status=0
  done
  cp "$plan" "${OPTION[out]}/plan.properties"
  # shellcheck disable=SC2086 # one word each
  "$JAVA_HOME/bin/java" -cp "$SLUICE_ROOT/loadtest/target/classes:$DIST/lib/*" \
    org.sluiceca.load.nodes.NodesCommand "$plan" "${OPTION[out]}" $counts || status=$?
  say "results are in ${OPTION[out]}"
  return "$status"
}

# load_nodes_counts 1,2,4: prints them in their order, parted by blanks; fails if they are none.
load_nodes_counts() {
  local counts
  [[ "$1" =~ ^[1-9][0-9]?(,[1-9][0-9]?){1,7}$ ]] || return 1
  counts="$(tr , '\n' <<<"$1" | sort -n)"
  [ -z "$(uniq -d <<<"$counts")" ] && [ "$(tail -n 1 <<<"$counts")" -le 30 ] || return 1
  paste -sd ' ' <<<"$counts"
}

# The day's second run does not replace the first.
load_nodes_out() {
  local kept
  kept="$SLUICE_ROOT/loadtest/results/$(date -u +%F)-nodes"
  [ ! -e "$kept" ] || kept="$SLUICE_ROOT/var/load/nodes-$(date -u +%Y%m%dT%H%M%SZ)"
  printf '%s' "$kept"
}
