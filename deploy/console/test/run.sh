#!/usr/bin/env bash
# Tests of the console by a browser: pages.mjs and its modules drive Debian's chromium over a trial of their own, whose HSM
# signs 20 times a second (loadtest/nethsm). What is missing is installed: chromium, Node.js and what the HSM is compiled with
# by the launcher's means, playwright-core and axe-core by npm, as package-lock.json pins them. Where they cannot be had, the
# tests are skipped and counted. Screenshots are left in target/console; `run.sh --pictures` puts those of the documentation
# into docs/images as well.
set -uo pipefail

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
ROOT="$(readlink -f "$HERE/../../..")"
OUT="$ROOT/target/console"
MODULES="$OUT/modules"
# playwright-core asks for this version of Node.js.
readonly NODE_LEAST=20
# Each wait of a page ends by itself; this ends what hangs on a machine that is busy with other tests.
readonly PAGES_SECONDS=1800
readonly PICTURES='live-overload-light live-overload-dark'

[ "$*" = '' ] || [ "$*" = --pictures ] || { echo 'usage: run.sh [--pictures]' >&2; exit 2; }

# Nothing of the caller's settings may reach the node. The distribution may be named, as for ./sluice itself.
DIST="${SLUICE_DIST:-}"
for variable in $(compgen -e SLUICE_ || true); do
  unset "$variable"
done
[ -z "$DIST" ] || export SLUICE_DIST="$DIST"
export SLUICE_CONFIG=/dev/null
# shellcheck disable=SC2034 # Read by the parts.
SLUICE_ROOT="$ROOT"
for part in common prerequisites softhsm; do
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
  have gcc || missing+=(gcc libc6-dev)
  have make || missing+=(make)
  [ -e /usr/include/p11-kit-1/p11-kit/pkcs11.h ] || missing+=(libp11-kit-dev)
  have softhsm2-util || missing+=(softhsm2)
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

# A network HSM in front of SoftHSM: two servers of 100 ms, a queue of 150. The PIN guards nothing: all is thrown away.
hsm() {
  local state="$WORK/hsm/state"
  mkdir -p "$WORK/hsm/tokens" && (umask 022 && make -s -C "$ROOT/loadtest/nethsm") >"$OUT/hsm.log" 2>&1 &&
    cp "$ROOT/loadtest/nethsm/target/libnethsm.so" "$WORK/hsm/" || return 1
  printf 'directories.tokendir = %s/tokens\nobjectstore.backend = file\nlog.level = ERROR\n' "$WORK/hsm" >"$WORK/hsm/softhsm2.conf"
  printf 'NETHSM_STATE=%s\nNETHSM_MODULE=%s\n' "$state" "$(find_softhsm)" >"$WORK/hsm/libnethsm.so.conf"
  printf '1234\n' >"$WORK/hsm/pin"
  export SOFTHSM2_CONF="$WORK/hsm/softhsm2.conf"
  "$ROOT/loadtest/nethsm/target/nethsm" "$state" create --profile netHSM2000 --servers 2 --service ec-p256=100 >>"$OUT/hsm.log" 2>&1 &&
    softhsm2-util --init-token --free --label network --pin 1234 --so-pin 12345678 >>"$OUT/hsm.log" 2>&1
}

trial() {
  choose_port && hsm || { tail -n 3 "$OUT/hsm.log" >&2; return 1; }
  "$ROOT/sluice" up --detach --data "$WORK/data" --port "$PORT" --http-port $((PORT + 100)) \
    --management-port $((PORT + 200)) --pkcs11-module "$WORK/hsm/libnethsm.so" --token-label network --pin-file "$WORK/hsm/pin" >"$OUT/up.log" 2>&1 ||
    { tail -n 3 "$OUT/up.log" >&2; return 1; }
  URL="https://localhost:$PORT"
  DATA="$WORK/data"
}

(umask 022 && mkdir -p "$OUT")
need || skipped 'chromium, Node.js, npm or what the simulated HSM is compiled with is missing'
[ "$(node --version | sed 's/^v\([0-9]*\).*/\1/')" -ge "$NODE_LEAST" ] || skipped "Node.js is older than $NODE_LEAST"
modules || skipped "playwright-core and axe-core cannot be had, see $MODULES/npm.log"
trial || exit 1
openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$WORK/key" -out "$WORK/csr" -subj /CN=console.example.com \
  -addext subjectAltName=DNS:console.example.com 2>/dev/null || exit 1
cp "$WORK/csr" "$DATA/example.csr" && (umask 077 && cp "$WORK/key" "$DATA/example.key") || exit 1

timeout -k 10 "$PAGES_SECONDS" node "$MODULES/pages.mjs" "$URL" "$DATA" "$OUT" "$(command -v chromium)" 2>&1 | tee "$WORK/report"
status="${PIPESTATUS[0]}"
[ "$status" -ne 124 ] || echo "the pages were ended after $PAGES_SECONDS s" >&2
printf '%s passed, %s failed, 0 skipped\n' "$(grep -c '^ok ' "$WORK/report")" "$(grep -c '^NOT ' "$WORK/report")"
if [ "$*" = --pictures ] && [ "$status" -eq 0 ]; then
  for picture in $PICTURES; do
    (umask 022 && mkdir -p "$ROOT/docs/images" && cp "$OUT/$picture.png" "$ROOT/docs/images/console-$picture.png") || exit 1
  done
fi
exit "$status"
