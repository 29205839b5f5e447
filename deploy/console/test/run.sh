#!/usr/bin/env bash
# Tests of the console by a browser: pages.mjs and its modules drive Debian's chromium over a trial of its own. `run.sh
# [--url URL --data DIR]` takes a trial that runs. What is missing is installed: chromium and Node.js by the launcher's means, playwright-core
# and axe-core by npm, as package-lock.json pins them. Where they cannot be had, the tests are skipped and counted.
# Screenshots are left in target/console.
set -uo pipefail

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
ROOT="$(readlink -f "$HERE/../../..")"
OUT="$ROOT/target/console"
MODULES="$OUT/modules"
# playwright-core asks for this version of Node.js.
readonly NODE_LEAST=20
readonly PAGES_SECONDS=300
URL='' DATA=''

usage() { echo 'usage: run.sh [--url URL --data DIR]' >&2; exit 2; }
while [ $# -gt 0 ]; do
  case "$1" in
    --url) URL="${2:-}" ;;
    --data) DATA="${2:-}" ;;
    *) usage ;;
  esac
  shift 2 || usage
done
[ -z "$URL$DATA" ] || { [ -n "$URL" ] && [ -d "$DATA" ]; } || usage

# Nothing of the caller's settings may reach the node. The distribution may be named, as for ./sluice itself.
DIST="${SLUICE_DIST:-}"
for variable in $(compgen -e SLUICE_ || true); do
  unset "$variable"
done
[ -z "$DIST" ] || export SLUICE_DIST="$DIST"
export SLUICE_CONFIG=/dev/null
# shellcheck disable=SC2034 # Read by the parts.
SLUICE_ROOT="$ROOT"
for part in common prerequisites; do
  # shellcheck source=/dev/null
  source "$ROOT/deploy/local/$part.sh"
done
WORK="$(mktemp -d)"

finish() {
  [ ! -d "$WORK/data" ] || "$ROOT/sluice" down --data "$WORK/data" >/dev/null 2>&1
  rm -rf "$WORK"
}
trap finish EXIT
trap 'exit 1' INT TERM

skipped() {
  printf '    skipped: %s\n0 passed, 0 failed, 1 skipped\n' "$*"
  exit 0
}

# Only root installs by itself here: the suite goes on without a browser.
need() {
  local missing=()
  have chromium || missing+=(chromium)
  have node || missing+=(nodejs)
  have npm || missing+=(npm)
  [ "${#missing[@]}" -eq 0 ] || { is_root && (install_packages "${missing[@]}"); } >/dev/null 2>&1 || return 1
  have chromium && have node && have npm
}

modules() {
  if ! cmp -s "$HERE/package-lock.json" "$MODULES/package-lock.json" || [ ! -d "$MODULES/node_modules/axe-core" ]; then
    rm -rf "$MODULES"
    mkdir -p "$MODULES" && cp "$HERE"/package.json "$HERE"/package-lock.json "$MODULES/" || return 1
    (cd "$MODULES" && timeout 120 npm ci --ignore-scripts --no-audit --no-fund >npm.log 2>&1) ||
      { rm -f "$MODULES/package-lock.json"; return 1; }
  fi
  cp "$HERE"/*.mjs "$MODULES/"
}

# Ranges below those that PostgreSQL and outgoing connections get.
choose_port() {
  local port tries
  for ((tries = 0; tries < 50; tries++)); do
    PORT=$((10000 + RANDOM % 9600))
    for port in "$PORT" $((PORT + 100)) $((PORT + 200)); do
      ! port_is_busy "$port" || continue 2
    done
    return 0
  done
  return 1
}

trial() {
  choose_port || return 1
  "$ROOT/sluice" up --detach --data "$WORK/data" --port "$PORT" --http-port $((PORT + 100)) \
    --management-port $((PORT + 200)) >"$OUT/up.log" 2>&1 || { tail -n 3 "$OUT/up.log" >&2; return 1; }
  URL="https://localhost:$PORT"
  DATA="$WORK/data"
}

(umask 022 && mkdir -p "$OUT")
need || skipped 'chromium, Node.js or npm is missing'
[ "$(node --version | sed 's/^v\([0-9]*\).*/\1/')" -ge "$NODE_LEAST" ] || skipped "Node.js is older than $NODE_LEAST"
modules || skipped "playwright-core and axe-core cannot be had, see $MODULES/npm.log"
[ -n "$URL" ] || trial || exit 1
openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$WORK/key" -out "$WORK/csr" -subj /CN=console.example.com \
  -addext subjectAltName=DNS:console.example.com 2>/dev/null || exit 1
cp "$WORK/csr" "$DATA/example.csr" && (umask 077 && cp "$WORK/key" "$DATA/example.key") || exit 1

timeout -k 10 "$PAGES_SECONDS" node "$MODULES/pages.mjs" "$URL" "$DATA" "$OUT" "$(command -v chromium)" 2>&1 | tee "$WORK/report"
status="${PIPESTATUS[0]}"
printf '%s passed, %s failed, 0 skipped\n' "$(grep -c '^ok ' "$WORK/report")" "$(grep -c '^NOT ' "$WORK/report")"
exit "$status"
