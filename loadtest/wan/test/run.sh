#!/usr/bin/env bash
# Tests of the WAN: the kernel's TCP over its lines, timed by the clients' own clocks, each test in a network namespace
# of its own. `run.sh PATTERN` runs those whose names match. Where no namespace can be made it says so and ends with 0.
set -uo pipefail

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
PATTERN="${1:-.}"
# A build with a planted bug, for which a test must fail.
OUT="${WAN_TEST_OUT:-$HERE/../target}"
PASSED=0
FAILED=0
export LC_ALL=C

fail() { printf '    %s\n' "$*" >&2; return 1; }
expect_equal() { [ "$1" = "$2" ] || fail "${3:-value}: '$1' is not '$2'"; }
# expect_between VALUE LEAST MOST WHAT
expect_between() {
  awk -v v="$1" -v a="$2" -v b="$3" 'BEGIN { exit !(v != "" && v + 0 >= a && v + 0 <= b) }' || fail "$4: '$1' is not within $2 and $3"
}
# value KEY TEXT: of KEY=VALUE words.
value() { tr ' ' '\n' <<<"$2" | sed -n "s/^$1=//p"; }

# over OPTIONS SCRIPT: in a namespace with these lines and a server behind them; what SCRIPT prints, then the forwarder's counts.
over() {
  local options="$1" script="$2"
  OUT="$OUT" OPTIONS="$options" SCRIPT="$script" timeout 60 "$OUT/wan" namespace -- bash -c '
    set -u
    probe() { "$OUT/probe" "$@"; }
    coproc LINES { exec "$OUT/wan" forward $OPTIONS; }
    forwarder=$LINES_PID
    read -r -t 10 -u "${LINES[0]}" word && [ "$word" = ready ] || exit 1
    "$OUT/probe" serve 7000 &
    server=$!
    tries=0
    until probe get 127.0.0.1 7000 1 >/dev/null 2>&1; do
      tries=$((tries + 1))
      [ "$tries" -lt 200 ] || exit 1
    done
    eval "$SCRIPT"
    eval "exec ${LINES[1]}>&-"
    read -r -t 10 -u "${LINES[0]}" counts
    echo "$counts"
    kill -s TERM "$server" 2>/dev/null
    wait "$forwarder" 2>/dev/null
    true' 2>/dev/null
}

# least KEY MOST OPTIONS SCRIPT [LINE]: the smallest value of KEY that SCRIPT prints (in that line) over up to six runs.
# Other work on the machine only ever adds to a time, so the smallest is the line's own; the first that is at most MOST
# ends the search. Of each run every value counts: what is too short is a fault whenever it is seen.
least() {
  local tries seen value smallest=''
  for ((tries = 0; tries < 6; tries++)); do
    seen="$(over "$3" "$4")" || return
    value="$(value "$1" "$(sed -n "${5:-1}p" <<<"$seen")")"
    smallest="$(printf '%s\n' $smallest "$value" | sort -n | head -n 1)"
    ! awk -v v="$smallest" -v m="$2" 'BEGIN { exit !(v != "" && v + 0 <= m) }' || break
  done
  printf '%s' "$smallest"
}

# A round trip for SYN and its answer, one for the question and what was asked for.
test_delay_connectAndAnswer_takeARoundTripEach() {
  local lines='--links 2 --rtt 80 --mbit 100'
  expect_between "$(least connect 160 "$lines" 'probe get 10.209.1.1 7000 100')" 80 160 'connect, ms' &&
    expect_between "$(least get 160 "$lines" 'probe get 10.209.1.1 7000 100')" 80 160 'get, ms' &&
    expect_between "$(least connect 40 "$lines" 'probe get 10.209.0.1 7000 100')" 0 40 'connect without the WAN, ms'
}

# 250,000 bytes are 2 Mbit, heads of packets more: a second at 2 Mbit/s and what slow start leaves idle.
test_rate_transfer_takesItsBits() {
  expect_between "$(least get 1700 '--links 2 --rtt 20 --mbit 2' 'probe get 10.209.1.0 7000 250000')" 1020 1700 'get, ms'
}

# Two at once share a line, and do not feel one another on two. The slower of the two is what counts.
test_links_transfersAtOnce_shareALineAndNoOther() {
  local lines='--links 2 --rtt 20 --mbit 4 --queue 1000' slower
  # shellcheck disable=SC2016 # for the shell inside
  slower='{ probe get 10.209.1.0 7000 250000 & first=$!; probe get 10.209.1.$other 7000 250000; wait $first; } |
    sed -n "s/.*get=//p" | sort -n | tail -n 1 | sed "s/^/get=/"'
  expect_between "$(least get 950 "$lines" "other=1; $slower")" 510 950 'on two links, ms' &&
    expect_between "$(least get 1700 "$lines" "other=0; $slower")" 1020 1700 'on one link, ms'
}

# A queue of 10 ms at 2 Mbit/s holds two packets: TCP finds out by what is lost, and all arrives all the same.
test_queue_tooShort_dropsAndTcpRepairs() {
  local seen
  seen="$(over '--links 1 --rtt 40 --mbit 2 --queue 10' 'probe get 10.209.1.0 7000 200000')" || return
  expect_between "$(value dropped "$(tail -n 1 <<<"$seen")")" 1 1000 dropped &&
    expect_between "$(value get "$(sed -n 1p <<<"$seen")")" 800 60000 'get, ms'
}

test_link_thatIsNone_isNoWay() {
  local seen
  seen="$(over '--links 1 --rtt 20 --mbit 2' 'timeout 2 "$OUT/probe" get 10.209.1.1 7000 1 || echo none; probe get 10.209.1.0 7000 1 >/dev/null && echo one')" || return
  expect_equal "$(sed -n 1,2p <<<"$seen" | paste -sd ' ')" 'none one'
}

test_namespace_nothingIsSeenOutside() {
  local links before
  before="$(grep -c : /proc/net/dev)"
  links="$(over '--links 1 --rtt 1 --mbit 2' 'grep -c "wan0:" /proc/net/dev')" || return
  expect_equal "$(sed -n 1p <<<"$links")" 1 'wan0 inside' && expect_equal "$(grep -c wan0: /proc/net/dev)" 0 'wan0 outside' &&
    expect_equal "$(grep -c : /proc/net/dev)" "$before" 'interfaces outside'
}

# servers: how many processes have that port among their words; this one has not.
servers() { grep -lzx '732[1]' /proc/[0-9]*/cmdline 2>/dev/null | wc -l; }

# As a time limit does: what the test started ends with it, and so does the namespace.
test_namespace_killed_leavesNothing() {
  local shell tries
  "$OUT/wan" namespace -- bash -c '"$0" serve 7321 & wait' "$OUT/probe" >/dev/null 2>&1 &
  shell=$!
  for ((tries = 0; tries < 1200 && $(servers) == 0; tries++)); do sleep 0.05; done
  tries="$(servers)"
  kill -s KILL "$shell"
  wait "$shell" 2>/dev/null
  expect_equal "$tries" 1 'servers' || return
  for ((tries = 0; tries < 1200 && $(servers) > 0; tries++)); do sleep 0.05; done
  expect_equal "$(servers)" 0 'servers afterwards'
}

test_usage_badWords_exit2() {
  local words
  for words in '' 'dance' 'forward' 'forward --links 0 --rtt 1 --mbit 1' 'forward --links 1 --rtt 1' 'forward --links 1 --rtt x --mbit 1' 'namespace true'; do
    # shellcheck disable=SC2086 # a list of words
    "$OUT/wan" $words >/dev/null 2>&1 </dev/null
    expect_equal $? 2 "exit of 'wan $words'" || return
  done
}

# --- Planted bugs, which the tests above must find --------------------------------------------------------

planted() {
  local plant="$1" test="$2" out="$OUT/plant-$1"
  make -s -j2 -C "$HERE/.." OUT="$out" PLANT="-DPLANT_$plant" all || return
  ! WAN_TEST_OUT="$out" "$HERE/run.sh" "$test" >/dev/null 2>&1 || fail "$test does not find $plant"
}
test_planted_oneWay_isFound() { planted ONE_WAY '^test_delay_'; }
test_planted_noRate_isFound() { planted NO_RATE '^test_rate_'; }
test_planted_oneLine_isFound() { planted ONE_LINE '^test_links_'; }

main() {
  local name
  [ -n "${WAN_TEST_OUT:-}" ] || make -s -C "$HERE/.." all || exit 1
  if ! "$OUT/wan" check 2>/dev/null; then
    echo 'no network namespaces or no TUN here: the WAN is not tested'
    exit 0
  fi
  for name in $(compgen -A function | grep '^test_' | grep -E -- "$PATTERN"); do
    if "$name"; then
      echo "ok   $name"
      PASSED=$((PASSED + 1))
    else
      echo "FAIL $name"
      FAILED=$((FAILED + 1))
    fi
  done
  echo "$PASSED passed, $FAILED failed"
  [ "$FAILED" -eq 0 ] && [ "$PASSED" -gt 0 ]
}

main
