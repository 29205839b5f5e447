# shellcheck shell=bash
# `bench index`: what the index of certificates costs the issuance of one node on this machine.

# Rounds with the feed and without, in an order in which a node that grows faster favours neither.
readonly BENCH_INDEX_ROUNDS='on off off on on off off on'
readonly BENCH_INDEX_WARM_UP_SECONDS=120
# What the index promises (ca_search_lag_seconds).
readonly BENCH_INDEX_LAG_MAX=2

bench_index() {
  parse_options 'seconds warm-up connections requests node-heap' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "bench index takes no argument: '${ARGUMENTS[0]}'"
  OPTION[warm-up]="${OPTION[warm-up]:-$BENCH_INDEX_WARM_UP_SECONDS}"
  OPTION[connections]="${OPTION[connections]:-64}"
  [[ "${OPTION[connections]}" =~ ^[0-9]+$ ]] || bad_usage "bench index takes one number of connections, not '${OPTION[connections]}'"
  bench_defaults
  prerequisites_to_run
  require_tools wrk:wrk openssl:openssl curl:curl
  build
  BENCH_WORK="$(mktemp -d)"
  trap bench_end EXIT
  bench_trial
  use_data
  bench_index_run
}

bench_index_run() {
  local corpus="$BENCH_WORK/corpus" state rate issued before behind=0 on=() off=()
  bench_corpus "$corpus"
  bench_conditions
  bench_heading
  if ((OPTION[warm-up] > 0)); then
    bench_load "${OPTION[connections]}" "${OPTION[warm-up]}" "$corpus"
    bench_line 'warm-up'
  fi
  for state in $BENCH_INDEX_ROUNDS; do
    bench_index_feed "$state"
    before="$WRITTEN"
    bench_load "${OPTION[connections]}" "${OPTION[seconds]}" "$corpus"
    # Before anything else runs: what is not in the index by now is paid for between the rounds.
    LAG="$(bench_index_lag)"
    bench_line "index $state"
    bench_require_honest
    issued="${RESULT[1]}"
    rate="$(awk -v seconds="${RESULT[0]}" -v issued="${RESULT[1]}" 'BEGIN { printf "%.1f", issued / seconds }')"
    if [ "$state" = on ]; then
      on+=("$rate")
      bench_index_feed on
      printf '%-13s behind by %s s at the end; octets a certificate: log and tables %s\n' '' "$LAG" \
        "$(awk -v before="$before" -v after="$WRITTEN" -v issued="$issued" 'BEGIN {
          split(before, b); split(after, a); printf "%.0f %.0f", (a[1] - b[1]) / issued, (a[2] - b[2]) / issued }')"
      awk -v lag="$LAG" -v most="$BENCH_INDEX_LAG_MAX" 'BEGIN { exit !(lag ~ /^[0-9.eE+-]+$/ && lag <= most) }' || behind=$((behind + 1))
    else
      off+=("$rate")
    fi
  done
  bench_index_feed on
  printf '\nwith the index %s %% of what is issued without it: medians of %s rounds each, %s and %s certificates/s\n' \
    "$(awk -v on="$(bench_median "${on[@]}")" -v off="$(bench_median "${off[@]}")" 'BEGIN { printf "%.1f", 100 * on / off }')" \
    "${#on[@]}" "${on[*]}" "${off[*]}"
  [ "$behind" -eq 0 ] || die "in $behind rounds the index was more than $BENCH_INDEX_LAG_MAX s behind: they have not paid for it"
}

# How old the oldest certificate is that the index does not have yet.
bench_index_lag() {
  curl -s --max-time 10 "http://127.0.0.1:$(run_value management-port)/actuator/prometheus" |
    awk '/^ca_search_lag_seconds/ { print $2; found = 1 } END { if (!found) print "?" }'
}

# bench_index_feed on|off: once what was issued before is in the index. Sets WRITTEN, octets of log and tables.
bench_index_feed() {
  WRITTEN="$("$JAVA_HOME/bin/java" -cp "$(echo "$DIST"/lib/postgresql-*.jar)" \
    "$SLUICE_ROOT/loadtest/src/main/java/org/sluiceca/load/IndexFeed.java" \
    "jdbc:postgresql://127.0.0.1:$(cat "$DATA/postgres.port")/sluice" sluice "$DATA/secrets/database.password" "$1")" ||
    die "the index cannot be switched $1"
}

bench_median() {
  printf '%s\n' "$@" | sort -n | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}
