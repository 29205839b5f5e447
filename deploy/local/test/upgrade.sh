#!/usr/bin/env bash
# Upgrade and roll back on real nodes: the previous release (deploy/previous-release) is built from the git history, and
# its nodes, started by its own launcher, and ours run on one database, in both orders (docs/adr/0038-upgrades.md). What was
# built is kept in target/previous. `upgrade.sh PATTERN` runs the tests whose names match.
set -uo pipefail

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
ROOT="$(readlink -f "$HERE/../../..")"
PATTERN="${1:-.}"
# Longer than the CRL loop of a dead node leaves to others.
readonly PUBLISHED_SECONDS=40
# A claim ends, and a pass of recovery finds its intent: 20 s without other work.
readonly RECOVERED_SECONDS=90
MIGRATIONS=ca-api/src/main/resources/db/migration
WORK="$(mktemp -d)"
PASSED=0
FAILED=0

# Nothing of the caller's settings may reach the nodes. Our own distribution may be named, as for ./sluice itself.
OURS="${SLUICE_DIST:-}"
MUST_HAVE_HISTORY="${SLUICE_TEST_HISTORY:-no}"
for variable in $(compgen -e SLUICE_ || true); do
  unset "$variable"
done
export SLUICE_CONFIG=/dev/null
# C1 alone: each node lives for a minute, and C2 would compile for most of it.
export JDK_JAVA_OPTIONS=-XX:TieredStopAtLevel=1

finish() {
  local directory
  [ -z "${WRITER:-}" ] || kill "$WRITER" 2>/dev/null
  for directory in "$WORK"/data*; do
    [ ! -d "$directory" ] || "$ROOT/sluice" down --data "$directory" >/dev/null 2>&1
  done
  rm -rf "$WORK"
}
trap finish EXIT
trap 'exit 1' INT TERM

say() { printf '    %s\n' "$*"; }
fail() { printf '    %s\n' "$*" >&2; return 1; }

# --- The previous release -----------------------------------------------------------------------------

# shellcheck source=/dev/null
source "$HERE/previous.sh"

# Ends the run where the clone's history is too short for it.
require_history() {
  local commit
  commit="$(previous_commit)"
  [ -n "$commit" ] || { fail "deploy/previous-release names no commit"; exit 1; }
  ! has_history || return 0
  if [ "$MUST_HAVE_HISTORY" = yes ]; then
    fail "this clone has no commit $commit, the previous release: git fetch --unshallow"
    exit 1
  fi
  say "SKIPPED: this clone has no commit $commit, the previous release: git fetch --unshallow"
  printf '0 passed, 0 failed, 1 skipped\n'
  exit 0
}

# launcher previous|ours ARGUMENTS…: the launcher of that release, on its own distribution.
launcher() {
  local launcher="$ROOT/sluice" dist="$OURS"
  [ "$1" != previous ] || { launcher="$PREVIOUS/tree/sluice" dist="$PREVIOUS/dist"; }
  shift
  env ${dist:+"SLUICE_DIST=$dist"} "$launcher" "$@"
}

# --- Fixture ------------------------------------------------------------------------------------------

# up_as previous|ours DATA: starts what does not run of two nodes, from that distribution.
up_as() {
  local tries
  for ((tries = 0; tries < 3; tries++)); do
    ! launcher "$1" up --detach --data "$2" --nodes 2 \
      --port "$PORT" --http-port $((PORT + 100)) --management-port $((PORT + 200)) >"$WORK/up.log" 2>&1 || return 0
    # The launcher's patience with a start, on a machine that others use; any other failure stays one.
    grep -q 'is not ready after' "$WORK/up.log" || break
  done
  fail "no start as $1: $(tail -n 3 "$WORK/up.log")"
}

# Two ranges below those that PostgreSQL and outgoing connections get.
choose_ports() {
  local port tries
  for ((tries = 0; tries < 50; tries++)); do
    PORT=$((10000 + RANDOM % 9600))
    for port in "$PORT" $((PORT + 1)) $((PORT + 100)) $((PORT + 101)) $((PORT + 200)) $((PORT + 201)); do
      ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || continue 2
    done
    return 0
  done
  fail "no free ports"
}

# down_one DATA I: one node drains and ends, as in a rolling upgrade.
down_one() {
  local pid deadline=$((SECONDS + 60))
  pid="$(cat "$1/node-$2.pid")"
  kill -s TERM "$pid" || { fail "node $2 does not live"; return 1; }
  while [ -d "/proc/$pid" ] && [ "$(sed 's/.*) //; s/ .*//' "/proc/$pid/stat" 2>/dev/null)" != Z ]; do
    ((SECONDS < deadline)) || { fail "node $2 does not end"; return 1; }
    sleep 0.2
  done
}

# runs_as previous|ours DATA I: does node I run the jar of that distribution?
expect_runs_as() {
  local jar="${OURS:-$ROOT/ca-api/target/dist}/ca-api.jar"
  [ "$1" != previous ] || jar="$PREVIOUS/dist/ca-api.jar"
  tr '\0' '\n' <"/proc/$(cat "$2/node-$3.pid")/cmdline" | grep -qxF "$jar" || fail "node $3 does not run as $1"
}

# on_database DATA CLASS ARGUMENTS…: what that program says of the database. The embedded PostgreSQL comes without psql.
on_database() {
  local data="$1" class="$2"
  shift 2
  env --unset=JDK_JAVA_OPTIONS "$JAVA_HOME/bin/java" -cp "$(echo "$PREVIOUS"/dist/lib/postgresql-*.jar)" "$HERE/upgrade/$class.java" \
    "jdbc:postgresql://127.0.0.1:$(cat "$data/postgres.port")/sluice" "$data/secrets/database.password" "$@"
}

schema() { on_database "$1" Schema | sort -V | paste -sd ' '; }

# expect_indexes DATA NAMES: by which recovery may find intents. Ours are made and dropped while nodes serve.
expect_indexes() {
  local has deadline=$((SECONDS + PUBLISHED_SECONDS))
  until has="$(on_database "$1" Ledger indexes | paste -sd ' ')" && [ "$has" = "$2" ]; do
    ((SECONDS < deadline)) || { fail "intents have the indexes '$has', not '$2'"; return 1; }
    sleep 0.5
  done
}

# recovers DATA I: node I is killed between intent and outcome; the other node, alone, signs what was planned.
recovers() {
  local data="$1" serial held pid outcome deadline
  pid="$(cat "$data/node-$2.pid")"
  coproc HOLDER { on_database "$data" Ledger hold 2>"$WORK/hold.err"; }
  local holder="$HOLDER_PID" from="${HOLDER[0]}" to="${HOLDER[1]}"
  read -r -t 60 -u "$from" held && [ "$held" = held ] || { kill "$holder"; fail "outcomes are not held back: $(tail -n 1 "$WORK/hold.err")"; return 1; }
  enroll "$data" "$2" >/dev/null 2>&1 &
  deadline=$((SECONDS + 60))
  until echo >&"$to" && read -r -t 60 -u "$from" serial && [ "$serial" != none ]; do
    ((SECONDS < deadline)) || { kill "$holder"; fail "no intent waits for its outcome"; return 1; }
    sleep 0.1
  done
  kill -s KILL "$pid"
  echo >&"$to"
  wait "$holder" || fail "the outcome is not held back to the end: $(tail -n 1 "$WORK/hold.err")" || return 1
  outcome="$(on_database "$data" Ledger outcome "$serial")"
  [ -z "$outcome" ] || fail "$serial has an outcome before it was recovered: $outcome" || return 1
  deadline=$((SECONDS + RECOVERED_SECONDS))
  until outcome="$(on_database "$data" Ledger outcome "$serial")" && [ -n "$outcome" ]; do
    ((SECONDS < deadline)) || { fail "$serial is not recovered"; return 1; }
    sleep 0.5
  done
  [ "$outcome" = 'issued true' ] || fail "recovered $serial is $outcome"
}

# The migrations that a commit, or the working tree (-), has: V15_1 is 15.1.
migrations() {
  if [ "$1" = - ]; then ls "$ROOT/$MIGRATIONS"; else git -C "$ROOT" ls-tree --name-only "$1" "$MIGRATIONS/" | sed 's:.*/::'; fi |
    sed -n 's/^V\([0-9_]*\)__.*/\1/p' | tr _ . | sort -V | paste -sd ' '
}

expect_schema() {
  local has
  has="$(schema "$1")"
  [ "$has" = "$(migrations "$2")" ] || fail "the schema is '$has', not '$(migrations "$2")'"
}

# call DATA NODE TOKEN PATH ARGUMENTS…: the answer's body; fails unless the status is 2xx.
call() {
  local data="$1" node="$2" token="$3" path="$4"
  shift 4
  curl -sS --fail-with-body --noproxy '*' --max-time 30 --cacert "$data/root.pem" \
    -H "Authorization: Bearer $(cat "$data/$token.token")" "$@" "https://localhost:$((PORT + node))$path"
}

# enroll DATA NODE: prints the serial number.
enroll() {
  local csr answer name="host-$RANDOM$RANDOM.example.com"
  csr="$(mktemp -p "$WORK")"
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout /dev/null -subj "/CN=$name" \
    -addext "subjectAltName=DNS:$name" -out "$csr" 2>/dev/null
  answer="$(call "$1" "$2" enroll '/v1/certificates?profile=tls-server' -H 'Content-Type: application/pkcs10' \
    -H 'Accept: application/json' --data-binary "@$csr")" || { fail "node $2 does not enroll: $answer"; return 1; }
  rm -f "$csr"
  sed -n 's/.*"serial" *: *"\([0-9a-f]*\)".*/\1/p' <<<"$answer"
}

revoke() {
  call "$1" "$2" admin "/v1/certificates/$3/revocation" -H 'Content-Type: application/json' \
    -d '{"reason":"keyCompromise"}' >/dev/null || fail "node $2 does not revoke $3"
}

finds() { call "$1" "$2" admin "/v1/certificates/$3" >/dev/null || fail "node $2 does not find $3"; }

# is_on_crl DATA NODE SERIAL: and the CRL is the issuer's.
is_on_crl() {
  curl -sSf --noproxy '*' --max-time 10 -o "$WORK/crl" "http://127.0.0.1:$((PORT + 100 + $2))/crl/issuing.crl" &&
    openssl crl -inform DER -in "$WORK/crl" -CAfile "$1/chain.pem" -noout -text 2>"$WORK/crl.err" >"$WORK/crl.txt" &&
    grep -q 'verify OK' "$WORK/crl.err" && grep -qi "Serial Number: 0*$3" "$WORK/crl.txt"
}

expect_on_crl() {
  local deadline=$((SECONDS + PUBLISHED_SECONDS))
  until is_on_crl "$@" 2>/dev/null; do
    ((SECONDS < deadline)) || { fail "$3 is not on the CRL of node $2"; return 1; }
    sleep 0.3
  done
}

crl_number() {
  curl -sSf --noproxy '*' --max-time 10 "http://127.0.0.1:$((PORT + 100 + $1))/crl/issuing.crl" |
    openssl crl -inform DER -noout -crlnumber | sed 's/.*=0x//'
}

# Both nodes issue, find and revoke what the other issued; both CRLs have all that was ever revoked.
expect_work_together() {
  local data="$1" first second serial node
  first="$(enroll "$data" 0)" && second="$(enroll "$data" 1)" || return 1
  finds "$data" 1 "$first" && finds "$data" 0 "$second" || return 1
  revoke "$data" 1 "$first" && revoke "$data" 0 "$second" || return 1
  REVOKED+=("$first" "$second")
  for node in 0 1; do
    for serial in "${REVOKED[@]}"; do
      expect_on_crl "$data" "$node" "$serial" || return 1
      finds "$data" "$node" "$serial" || return 1
    done
  done
}

# A number that is lower than one seen before is a step back.
expect_crl_goes_on() {
  local node hex number
  for node in 0 1; do
    hex="$(crl_number "$node")" && [ -n "$hex" ] || { fail "node $node serves no CRL with a number"; return 1; }
    number=$((16#$hex))
    ((number >= CRL_NUMBER)) || { fail "CRL $number of node $node after $CRL_NUMBER"; return 1; }
    ((number <= CRL_NUMBER)) || CRL_NUMBER="$number"
  done
}

# The requester that must not notice: one certificate after another of node 0, every answer counted.
write_on() {
  local data="$1"
  : >"$WORK/written" && : >"$WORK/refused"
  while [ -e "$WORK/go-on" ]; do
    if enroll "$data" 0 >>"$WORK/written" 2>>"$WORK/refused"; then :; fi
    sleep 1
  done
}

# --- Tests ------------------------------------------------------------------------------------------

# A migration that was released is never changed, and a new one only adds.
test_migrations_sinceThePreviousRelease_onlyAdd() {
  local changed file
  changed="$(git -C "$ROOT" diff --name-only --diff-filter=MDRT "$(previous_commit)" -- "$MIGRATIONS")"
  [ -z "$changed" ] || fail "changed since the previous release: $changed" || return 1
  for file in $(git -C "$ROOT" diff --name-only --diff-filter=A "$(previous_commit)" -- "$MIGRATIONS"); do
    only_adds "$ROOT/$file" || { fail "$file takes something away, or asks more of what the previous release writes"; return 1; }
  done
}

test_migrationThatDoesNotOnlyAdd_isFound() {
  local planted
  for planted in 'DROP TABLE crl;' 'ALTER TABLE crl DROP COLUMN bytes;' 'ALTER TABLE crl RENAME TO list;' \
    'ALTER TABLE crl ALTER COLUMN number TYPE integer;' 'ALTER TABLE crl ALTER COLUMN base_number SET NOT NULL;' \
    'ALTER TABLE crl ADD COLUMN a text, ADD COLUMN b text NOT NULL;' 'alter table crl add b text not null;' \
    'ALTER TABLE crl ADD CHECK (known_revision IS NOT NULL) NOT VALID;' 'alter table crl add constraint c unique (bytes);' \
    'CREATE UNIQUE INDEX i ON crl (bytes);' $'DO $$ BEGIN\nDROP TABLE crl;\nEND $$;' \
    $'CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$\nSELECT 1\n$$;\nDROP TABLE crl;'; do
    printf '%s\n' "$planted" >"$WORK/planted.sql"
    ! only_adds "$WORK/planted.sql" || { fail "not found: $planted"; return 1; }
  done
  for planted in '-- DROP TABLE crl;' 'CREATE TABLE a (b text NOT NULL);' \
    $'CREATE OR REPLACE FUNCTION f() RETURNS void\nLANGUAGE sql AS $$\nDROP TABLE crl;\n$$;' \
    'ALTER TABLE crl ADD COLUMN a text, ADD COLUMN b text NOT NULL DEFAULT 0;'; do
    printf '%s\n' "$planted" >"$WORK/planted.sql"
    only_adds "$WORK/planted.sql" || { fail "found, but it only adds: $planted"; return 1; }
  done
}

# What a reader of statements alone can tell; the nodes of the previous release tell the rest.
only_adds() {
  local text
  text="$(sed 's/--.*//' "$1" | without_functions | tr '\n' ' ' | tr -s ' ')"
  ! grep -qiE 'DROP +(TABLE|COLUMN|TYPE|FUNCTION|INDEX|VIEW|SCHEMA)|RENAME|ALTER +COLUMN +[a-z_]+ +(SET +DATA +)?TYPE|SET +NOT +NULL' <<<"$text" &&
    ! tr ';' '\n' <<<"$text" | grep -i 'ALTER *TABLE' | tr ',' '\n' | grep -iE 'ADD' | grep -iE 'NOT +NULL' | grep -qviE 'DEFAULT' &&
    [ -z "$(constraints "$text" | grep -vxFf "$HERE/upgrade/accepted-constraints")" ]
}

# Without the bodies of functions, which a migration defines and does not run; what DO runs stays.
without_functions() {
  awk '/CREATE (OR REPLACE )?FUNCTION/ { defines = 1 }
    inside { if (/\$\$/) inside = defines = 0; next }
    defines && /\$\$/ { rest = $0; sub(/.*\$\$/, "", rest); inside = $0 !~ /\$\$.*\$\$/; if (!inside) defines = 0; sub(/\$\$.*/, "") }
    { print }'
}

# The statements that ask more of a table which may be older than the migration: a check, a key, a unique index.
constraints() {
  tr ';' '\n' <<<"$1" | sed 's/^ *//; s/ *$//' |
    grep -iE '^ALTER TABLE .* ADD (CONSTRAINT |CHECK|UNIQUE|PRIMARY|FOREIGN|EXCLUDE)|^CREATE UNIQUE INDEX'
}

# Rolling upgrade and roll back, with a requester that goes on at the node that is not touched.
test_previousThenOurs_rollingUpgradeAndBack_bothWorkOnOneDatabase() {
  local data="$WORK/data-rolling" pid serial
  REVOKED=()
  CRL_NUMBER=0
  previous_release && choose_ports && up_as previous "$data" || return 1
  expect_runs_as previous "$data" 0 && expect_schema "$data" "$(previous_commit)" && expect_work_together "$data" || return 1
  expect_indexes "$data" intent_recorded || return 1
  expect_crl_goes_on || return 1
  pid="$(cat "$data/node-0.pid")"
  : >"$WORK/go-on"
  write_on "$data" &
  WRITER=$!
  down_one "$data" 1 && up_as ours "$data" || return 1
  rm "$WORK/go-on" && wait "$WRITER"
  WRITER=''
  [ "$(cat "$data/node-0.pid")" = "$pid" ] || fail "the previous node did not go on" || return 1
  expect_runs_as previous "$data" 0 && expect_runs_as ours "$data" 1 && expect_schema "$data" - || return 1
  [ ! -s "$WORK/refused" ] || fail "refused meanwhile: $(head -n 3 "$WORK/refused")" || return 1
  [ -s "$WORK/written" ] || fail "nothing was enrolled meanwhile" || return 1
  while read -r serial; do
    finds "$data" 1 "$serial" || return 1
  done <"$WORK/written"
  say "meanwhile: $(wc -l <"$WORK/written") certificates of the previous node while ours migrated and started"
  expect_work_together "$data" && expect_crl_goes_on || return 1
  expect_indexes "$data" intent_recorded && recovers "$data" 1 && up_as ours "$data" && expect_runs_as ours "$data" 1 || return 1
  down_one "$data" 0 && up_as ours "$data" && expect_runs_as ours "$data" 0 || return 1
  expect_work_together "$data" && expect_crl_goes_on || return 1
  down_one "$data" 0 && down_one "$data" 1 && up_as previous "$data" || return 1
  expect_runs_as previous "$data" 0 && expect_runs_as previous "$data" 1 || return 1
  expect_work_together "$data" && expect_crl_goes_on || return 1
  audit_verifies "$data" previous && audit_verifies "$data" ours || return 1
  "$ROOT/sluice" down --data "$data" >/dev/null 2>&1
}

# Ours makes the schema; the previous release finds it ready and newer than its own.
test_oursThenPrevious_onANewDatabase_bothWork() {
  local data="$WORK/data-new"
  REVOKED=()
  CRL_NUMBER=0
  previous_release && choose_ports && up_as ours "$data" && expect_schema "$data" - && expect_work_together "$data" || return 1
  expect_crl_goes_on || return 1
  down_one "$data" 1 && up_as previous "$data" || return 1
  expect_runs_as ours "$data" 0 && expect_runs_as previous "$data" 1 && expect_schema "$data" - && expect_indexes "$data" intent_recorded || return 1
  expect_work_together "$data" && expect_crl_goes_on || return 1
  "$ROOT/sluice" down --data "$data" >/dev/null 2>&1
}

audit_verifies() {
  launcher "$2" audit verify --data "$1" >"$WORK/audit.log" 2>&1 ||
    fail "the chains do not verify as $2: $(tail -n 2 "$WORK/audit.log")"
}

# --- Running --------------------------------------------------------------------------------------------

JAVA_HOME="$(SLUICE_ROOT="$ROOT" bash -c '
  set -euo pipefail
  for part in common options process prerequisites; do source "$SLUICE_ROOT/deploy/local/$part.sh"; done
  require_jdk
  printf %s "$JAVA_HOME"')" || exit 1
export JAVA_HOME

require_history
for test in $(declare -F | sed -n 's/^declare -f \(test_.*\)/\1/p' | grep -E -- "$PATTERN"); do
  started=$SECONDS
  if "$test"; then
    PASSED=$((PASSED + 1))
    printf 'ok   %s (%d s)\n' "$test" $((SECONDS - started))
  else
    FAILED=$((FAILED + 1))
    printf 'FAIL %s (%d s)\n' "$test" $((SECONDS - started))
    for log in "$WORK"/data*/node-*.log; do
      [ ! -s "$log" ] || { printf -- '--- %s\n' "$log"; tail -n 15 "$log" | cut -c 1-600; } >&2
    done
  fi
done
printf '%d passed, %d failed, 0 skipped\n' "$PASSED" "$FAILED"
[ "$FAILED" -eq 0 ] && [ "$PASSED" -gt 0 ]
