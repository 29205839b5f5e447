# shellcheck shell=bash
# `load day`: as many certificates as the field's largest test issued in a day, over as many sessions as it takes, on a trial
# that is kept between them (day.sh and org.sluiceca.load.day). docs/performance/DAY.md says how to read it.

readonly DAY_CERTIFICATES=20000000
readonly DAY_CERTIFICATES_MAX=100000000
readonly DAY_MARKS=10000,1000000,5000000,10000000,20000000
# A requester's token lasts a day.
readonly DAY_HOURS=20
# A certificate takes some 2,600 with its indexes (docs/performance/DAY.md); write-ahead log, sorting and results come on top.
readonly DAY_OCTETS=2800
readonly DAY_OCTETS_BESIDE=5000000000

load_day() {
  load_forget_settings
  parse_options 'certificates marks nodes rate hours resume out node-heap' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "load day takes no argument: '${ARGUMENTS[0]}'"
  day_options
  prerequisites_to_run
  require_tools gnuplot:gnuplot-nox
  if [ -n "$DAY_RATE" ]; then
    require_tools make:make gcc:gcc
    [ -e /usr/include/p11-kit-1/p11-kit/pkcs11.h ] || install_packages libp11-kit-dev libc6-dev
  fi
  build
  if [ -n "$DAY_RATE" ]; then load_build; else load_classes; fi
  mkdir -p "$LOAD_WORK" || die "cannot create $LOAD_WORK"
  day_require_room "${OPTION[certificates]}" "$LOAD_WORK"
  trap day_end EXIT
  trap 'trap "" INT TERM; [ -z "$LONG_CHILD" ] || kill -s TERM "$LONG_CHILD" 2>/dev/null; exit 1' INT TERM
  DAY_HSM=()
  [ -z "$DAY_RATE" ] || day_hsm
  day_run
}

# Sets DAY_RATE, empty for a SoftHSM token, and LOAD_WORK.
day_options() {
  local name
  OPTION[hours]="${OPTION[hours]:-$DAY_HOURS}"
  [[ "${OPTION[hours]}" =~ ^[0-9]{1,2}(\.[0-9]{1,4})?$ ]] && awk -v h="${OPTION[hours]}" -v most=$DAY_HOURS 'BEGIN { exit !(h > 0 && h <= most) }' ||
    bad_usage "--hours is a number above 0, to $DAY_HOURS, not '${OPTION[hours]}'"
  if [ -n "${CHOSEN[resume]:-}" ]; then
    for name in certificates marks nodes rate out; do
      [ -z "${CHOSEN[$name]:-}" ] || bad_usage "--resume goes on as the run was begun, for --hours: no --$name"
    done
    OPTION[out]="$(absolute_path "${OPTION[resume]}")"
    [ -r "${OPTION[out]}/work/day.json" ] || bad_usage "nothing to resume in ${OPTION[out]}: no run of a day that is not over"
    OPTION[certificates]="$(day_kept certificates)"
    DAY_RATE="$(day_kept rate)"
    [ "$DAY_RATE" != 0 ] || DAY_RATE=''
  else
    day_new_options
  fi
  LOAD_WORK="${OPTION[out]}/work"
}

day_new_options() {
  local results="$SLUICE_ROOT/loadtest/results"
  OPTION[certificates]="${OPTION[certificates]:-$DAY_CERTIFICATES}"
  OPTION[marks]="${OPTION[marks]:-$DAY_MARKS}"
  [[ "${OPTION[certificates]}" =~ ^[1-9][0-9]{3,8}$ ]] && ((OPTION[certificates] <= DAY_CERTIFICATES_MAX)) ||
    bad_usage "--certificates is a number from 1000 to $DAY_CERTIFICATES_MAX, not '${OPTION[certificates]}'"
  [[ "${OPTION[marks]}" =~ ^[1-9][0-9]{3,8}(,[1-9][0-9]{3,8}){0,18}$ ]] ||
    bad_usage "--marks is one to nineteen numbers that grow, from 1000 on, e.g. $DAY_MARKS, not '${OPTION[marks]}'"
  [ -z "${CHOSEN[nodes]:-}" ] || require_number nodes 1 8
  [ -z "${CHOSEN[rate]:-}" ] || require_number rate 1 99999
  DAY_RATE="${OPTION[rate]:-}"
  if [ -z "${OPTION[out]:-}" ]; then
    OPTION[out]="$results/$(date -u +%F)-day"
    # A second run of a day has its time too.
    [ ! -e "${OPTION[out]}" ] || OPTION[out]="$results/$(date -u +%Y-%m-%dT%H%M%SZ)-day"
  fi
  OPTION[out]="$(absolute_path "${OPTION[out]}")"
  [ ! -e "${OPTION[out]}/work/day.json" ] || bad_usage "${OPTION[out]} has a run that is not over: --resume ${OPTION[out]}, or another --out"
}

# day_kept NAME: a number of the plan that the run was begun with.
day_kept() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "${OPTION[out]}/work/day.json"; }

# day_require_room CERTIFICATES FOLDER: better said now than after ten hours.
day_require_room() {
  local need room
  need=$(($1 * DAY_OCTETS + DAY_OCTETS_BESIDE - $(du -s --block-size=1 "$2" | cut -f1)))
  room="$(df --output=avail --block-size=1 "$2" | tail -n 1 | tr -d ' ')"
  ((room >= need)) ||
    die "$1 certificates need some $((need / 1000000000)) GB more in $2, where $((room / 1000000000)) GB are free"
}

day_hsm() {
  local nethsm="$SLUICE_ROOT/loadtest/nethsm/target"
  load_hsm
  DAY_HSM=(--rate "$DAY_RATE" --module "$nethsm/libnethsm.so" --hsm-tool "$nethsm/nethsm" --softhsm "$LOAD_SOFTHSM"
    --hsm-folder "$LOAD_WORK/hsm" --pin-file "$LOAD_WORK/hsm/pin")
}

day_run() {
  local status=0
  say "${OPTION[certificates]} certificates, ${OPTION[hours]} hours at most; results will be in ${OPTION[out]}"
  run_long - "$JAVA_HOME/bin/java" -XX:+UseSerialGC "-Xmx$LOAD_HEAP" -cp "$SLUICE_ROOT/loadtest/target/classes:$DIST/lib/*" \
    org.sluiceca.load.command.LoadCommand --day "${OPTION[certificates]}" --marks "${OPTION[marks]:-}" --nodes "${OPTION[nodes]}" \
    --hours "${OPTION[hours]}" --work "$LOAD_WORK" --out "${OPTION[out]}" --data "$LOAD_WORK/data" --launcher "$SLUICE_ROOT/sluice" \
    --first-port "$(load_first_port)" --node-heap "${OPTION[node-heap]}" --commit "$(checkout_commit)" \
    --memory "$(awk '/^MemTotal/ { printf "%.1f GiB", $2 / 1048576 }' /proc/meminfo)" "${DAY_HSM[@]}" || status=$?
  return "$status"
}

# What is over needs its database no more; what is not keeps everything.
day_end() {
  local status=$?
  trap '' INT TERM
  [ "$status" -eq 0 ] || load_keep_logs
  [ ! -d "$LOAD_WORK/data" ] || "$SLUICE_ROOT/sluice" down --data "$LOAD_WORK/data" >/dev/null 2>&1 ||
    say "the trial in $LOAD_WORK did not stop: ./sluice down --data $LOAD_WORK/data"
  if [ -e "${OPTION[out]}/results.json" ]; then
    rm -rf "$LOAD_WORK"
  elif [ -e "$LOAD_WORK/day.json" ]; then
    say "the run is not over; go on with: ./sluice load day --resume ${OPTION[out]}"
  else
    rm -rf "$LOAD_WORK"
  fi
}
