# shellcheck shell=bash
# Messages, exit codes and small things that every part uses. Sourced by ./sluice.

# Exit codes of the contract: 0 ok, 1 failed, 2 bad usage, 3 missing prerequisite.

say() { printf 'sluice: %s\n' "$*" >&2; }

die() {
  say "$*"
  exit 1
}

bad_usage() {
  if [ -n "${COMMAND:-}" ]; then
    say "$* (./sluice $COMMAND --help lists its options)"
  else
    say "$* (./sluice --help lists the commands)"
  fi
  exit 2
}

missing_prerequisite() {
  say "$*"
  exit 3
}

is_root() { [ "$(id -u)" -eq 0 ]; }

have() { command -v "$1" >/dev/null 2>&1; }

# 128 bits of the kernel's randomness in lower-case hex: PINs, passwords, idempotency keys.
random_hex() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }

# write_secret FILE VALUE: appears whole or not at all, readable by its owner only.
write_secret() {
  local file="$1" value="$2"
  printf '%s\n' "$value" >"$file.new"
  chmod 600 "$file.new"
  mv -f "$file.new" "$file"
}

# Makes FILE with a fresh secret unless it is there: a second `up` keeps what the first one made.
ensure_secret() {
  [ -s "$1" ] || write_secret "$1" "$(random_hex)"
}

# The end of a log that names the trouble best: our own line, else an error, else the last line.
# Bounded: only the last 200 lines are looked at, and one line of at most 400 characters is shown.
last_words() {
  [ -s "$1" ] || return 0
  tail -n 200 "$1" | awk '
    /^sluice: /          { own = $0 }
    /ERROR|FATAL|[Ee]rror:/ { bad = $0 }
    /^[^ \t]/            { last = $0 }
    END { line = own ? own : bad ? bad : last; sub(/^sluice: /, "", line); print substr(line, 1, 400) }'
}

# Is anything listening on TCP port $1, on any address? Read from the kernel, as ss may be missing. To the end: with
# thousands of connections cat would else be cut off, and fail. It may also fail for want of IPv6.
port_is_busy() {
  local hex
  hex="$(printf '%04X' "$1")"
  { cat /proc/net/tcp /proc/net/tcp6 2>/dev/null || true; } |
    awk -v port="$hex" '$4 == "0A" { n = split($2, a, ":"); if (a[n] == port) busy = 1 } END { exit !busy }'
}

# run_long LOG COMMAND…: bash runs a trap only between commands, so a long child is waited for in the
# background: a SIGTERM then ends the launcher, and the child, at once. The log is named here, since a
# redirection of the whole call would also swallow what the trap says. LOG '-' leaves the output alone.
LONG_CHILD=''
run_long() {
  local log="$1" traps
  shift
  # Who has no trap of its own has this one meanwhile.
  traps="$(trap -p TERM)"
  [ -n "$traps" ] || trap end_long INT TERM
  if [ "$log" = - ]; then
    "$@" </dev/null 9>&- &
  else
    "$@" >"$log" 2>&1 </dev/null 9>&- &
  fi
  LONG_CHILD=$!
  local status=0
  wait "$LONG_CHILD" || status=$?
  LONG_CHILD=''
  [ -n "$traps" ] || trap - INT TERM
  return "$status"
}

# For the signals that end us: a child in the background does not receive Ctrl-C, and no other process would end it.
end_long() {
  trap '' INT TERM
  [ -z "$LONG_CHILD" ] || kill -s TERM "$LONG_CHILD" 2>/dev/null
  exit 1
}

# A path as the user would see it from anywhere: absolute, symbolic links left alone.
absolute_path() { realpath -ms -- "$1"; }
