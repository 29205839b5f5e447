#!/usr/bin/env bash
# noise.sh COMMAND…: runs it alongside two busy loops and a process that writes and syncs 64 MB again and again, for at most
# three hours, and ends with its exit code. `deploy/local/test/noise.sh ./sluice test` shows whether a test takes a slow
# machine for a fault.
set -euo pipefail
[ $# -gt 0 ] || { echo 'usage: noise.sh COMMAND…' >&2; exit 2; }

readonly SECONDS_MAX=10800
WORK="$(mktemp -d)"
NOISE=()

finish() {
  trap '' INT TERM
  kill "${NOISE[@]}" 2>/dev/null || true
  wait "${NOISE[@]}" 2>/dev/null || true
  rm -rf "$WORK"
}
trap finish EXIT
trap 'exit 1' INT TERM

# Each ends by itself, whatever becomes of this script.
for _ in 1 2; do
  timeout "$SECONDS_MAX" bash -c 'while :; do :; done' &
  NOISE+=("$!")
done
timeout "$SECONDS_MAX" bash -c 'while :; do dd if=/dev/zero of="$0" bs=1M count=64 conv=fsync status=none; done' "$WORK/written" &
NOISE+=("$!")

status=0
"$@" || status=$?
exit "$status"
