# shellcheck shell=bash
# Processes that outlive the launcher: whose a pid is, waiting for an end, the lock on DIR.

# process_is PID MARK: does that process live and carry MARK in its environment? A pid file may be
# older than the last boot and its number long another's; a mark in the environment cannot be.
process_is() {
  [[ "$1" =~ ^[1-9][0-9]*$ ]] || return 1
  { tr '\0' '\n' <"/proc/$1/environ"; } 2>/dev/null | grep -qxF -- "$2"
}

# await_end SECONDS PID: true when the process has ended in time. A zombie has ended.
await_end() {
  local deadline=$((SECONDS + $1)) state
  while state="$(process_state "$2")" && [ "$state" != Z ]; do
    ((SECONDS < deadline)) || return 1
    sleep 0.1
  done
}

# The state letter of /proc/PID/stat; the command in it may hold blanks and brackets.
process_state() {
  local line
  { read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
  line="${line##*) }"
  printf '%s' "${line%% *}"
}

# The processes that PID has started and that have not ended. The kernel's own list of them is not built everywhere.
children_of() {
  local file line
  for file in /proc/[0-9]*/stat; do
    { read -r line <"$file"; } 2>/dev/null || continue
    # After the command, which may hold blanks and brackets: state, parent.
    [[ "${line##*) }" != ?\ "$1"\ * ]] || printf '%s\n' "${file//[!0-9]/}"
  done
}

# One command at a time works on DIR. Descriptor 9 holds the lock and dies with this process;
# children that live longer are started with 9>&-.
lock_data() {
  local wait_seconds="$1"
  exec 9<>"$DATA/.lock"
  flock -w "$wait_seconds" 9 ||
    die "another ./sluice is working on $DATA (pid $(head -c 20 "$DATA/.lock" | head -n 1)): wait for it, or end it"
  printf '%s\n' "$$" >"$DATA/.lock"
}

unlock_data() { exec 9>&-; }

# Sets DATA; with `make`, creates it readable by its owner only. A directory that is there keeps its mode.
use_data() {
  DATA="${OPTION[data]}"
  [[ "$DATA" != *$'\n'* ]] || bad_usage "--data must not hold a line break"
  if [ "${1:-}" = make ]; then
    mkdir -p "$DATA/secrets" 2>/dev/null || die "cannot create $DATA"
    [ -w "$DATA" ] && [ -w "$DATA/secrets" ] || die "cannot write to $DATA"
  fi
}
