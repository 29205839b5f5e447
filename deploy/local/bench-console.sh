# shellcheck shell=bash
# `bench console`: what open live pages of the console cost the issuance of one node on this machine, and how old their figures
# are. Their browsers are curl, for a browser's own work is done elsewhere.

# Rounds without pages and with, in an order in which a node that grows faster favours neither.
readonly BENCH_CONSOLE_ROUNDS='off on on off off on on off'
readonly BENCH_CONSOLE_WARM_UP_SECONDS=120
readonly BENCH_CONSOLE_PAGES=20
# Streams that a node feeds for one session.
readonly BENCH_CONSOLE_OF_SESSION=4
# Between two events of a page.
readonly BENCH_CONSOLE_GAP_MAX=1.0

bench_console() {
  parse_options 'seconds warm-up connections requests node-heap' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "bench console takes no argument: '${ARGUMENTS[0]}'"
  OPTION[warm-up]="${OPTION[warm-up]:-$BENCH_CONSOLE_WARM_UP_SECONDS}"
  OPTION[connections]="${OPTION[connections]:-64}"
  [[ "${OPTION[connections]}" =~ ^[0-9]+$ ]] || bad_usage "bench console takes one number of connections, not '${OPTION[connections]}'"
  bench_defaults
  prerequisites_to_run
  require_tools wrk:wrk openssl:openssl curl:curl
  build
  BENCH_WORK="$(mktemp -d)"
  trap 'bench_console_close; bench_end' EXIT
  bench_trial
  use_data
  bench_console_run
}

bench_console_run() {
  local corpus="$BENCH_WORK/corpus" state rate on=() off=() gaps=()
  PAGES=()
  bench_corpus "$corpus"
  bench_console_sign_in
  bench_conditions
  bench_heading
  if ((OPTION[warm-up] > 0)); then
    bench_load "${OPTION[connections]}" "${OPTION[warm-up]}" "$corpus"
    bench_line 'warm-up'
  fi
  for state in $BENCH_CONSOLE_ROUNDS; do
    [ "$state" = off ] || bench_console_open
    bench_load "${OPTION[connections]}" "${OPTION[seconds]}" "$corpus"
    bench_line "pages $state"
    bench_require_honest
    rate="$(awk -v seconds="${RESULT[0]}" -v issued="${RESULT[1]}" 'BEGIN { printf "%.1f", issued / seconds }')"
    if [ "$state" = on ]; then
      bench_console_gaps
      on+=("$rate")
      gaps+=("$GAP_MAX")
    else
      off+=("$rate")
    fi
    bench_console_close
  done
  printf '\nwith %s pages %s %% of what is issued without: medians of %s rounds each, %s and %s certificates/s\n' "$BENCH_CONSOLE_PAGES" \
    "$(awk -v on="$(bench_median "${on[@]}")" -v off="$(bench_median "${off[@]}")" 'BEGIN { printf "%.1f", 100 * on / off }')" \
    "${#on[@]}" "${on[*]}" "${off[*]}"
  printf 'the longest time between two events of a page, in each round: %s s\n' "${gaps[*]}"
  printf '%s\n' "${gaps[@]}" | awk -v most="$BENCH_CONSOLE_GAP_MAX" '$1 > most { late = 1 } END { exit late }' ||
    say "warning: figures were older than $BENCH_CONSOLE_GAP_MAX s"
}

# Sessions of two requesters, for one alone gets half of a node's streams. Cookies in BENCH_WORK/session-N.
bench_console_sign_in() {
  local sessions=$(((BENCH_CONSOLE_PAGES + BENCH_CONSOLE_OF_SESSION - 1) / BENCH_CONSOLE_OF_SESSION)) i token csrf
  for ((i = 0; i < sessions; i++)); do
    token="$DATA/$( ((i % 2)) && echo enroll || echo admin).token"
    csrf="$(bench_console_curl "$i" /console/sign-in | sed -n 's/.*name="csrf" value="\([^"]*\)".*/\1/p;T;q')"
    printf 'csrf=%s&to=&token=%s' "$csrf" "$(head -n 1 "$token")" |
      bench_console_curl "$i" /console/sign-in -o /dev/null --data-binary @- || die "no session: the node refuses ${token##*/}"
    grep -q '__Host-sluice-console' "$BENCH_WORK/session-$i" || die "no session with ${token##*/}"
  done
}

# bench_console_curl SESSION PATH MORE…
bench_console_curl() {
  curl -sS --fail --noproxy '*' --cacert "$DATA/root.pem" -b "$BENCH_WORK/session-$1" -c "$BENCH_WORK/session-$1" "${@:3}" "https://localhost:$PORT$2"
}

bench_console_open() {
  local i page deadline=$((SECONDS + 20))
  for ((i = 0; i < BENCH_CONSOLE_PAGES; i++)); do
    page="$BENCH_WORK/page-$i"
    : >"$page"
    curl -sSN --fail --noproxy '*' --cacert "$DATA/root.pem" -b "$BENCH_WORK/session-$((i / BENCH_CONSOLE_OF_SESSION))" \
      --max-time $((OPTION[seconds] + 60)) "https://localhost:$PORT/console/live/events" > >(bench_console_events >"$page") 2>"$page.err" &
    PAGES+=($!)
  done
  for ((i = 0; i < BENCH_CONSOLE_PAGES; i++)); do
    until [ -s "$BENCH_WORK/page-$i" ]; do
      ((SECONDS < deadline)) || die "page $i has no event: $(last_words "$BENCH_WORK/page-$i.err")"
      sleep 0.1
    done
  done
}

# When each event came.
bench_console_events() {
  local line
  while IFS= read -r line; do
    [[ "$line" != data:* ]] || printf '%s\n' "$EPOCHREALTIME"
  done
}

# Sets GAP_MAX, the longest time between two events of one page, the time since the last one included.
bench_console_gaps() {
  local i
  GAP_MAX="$(for ((i = 0; i < BENCH_CONSOLE_PAGES; i++)); do
    printf '%s\n' "$EPOCHREALTIME" | awk 'NR > 1 && $1 - before > most { most = $1 - before } { before = $1 } END { printf "%.2f\n", most }' "$BENCH_WORK/page-$i" -
  done | sort -n | tail -n 1)"
}

bench_console_close() {
  local pid
  for pid in "${PAGES[@]}"; do
    kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
  done
  PAGES=()
}
