# shellcheck shell=bash
# For package.sh: PostgreSQL outside of a root, tokens of SoftHSM inside, `sluice setup` there, and the program of the unit run
# as the unit says. Sourced.

readonly HSM_CONF=/var/lib/sluice-hsm/softhsm2.conf
# The unit that is run, and the seconds that a node took.
UNIT="$FILES/sluice.service"
STARTED_IN=''

# seconds_since EPOCHREALTIME: with a decimal.
seconds_since() { awk -v a="$1" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }'; }

# One for all tests, of the binaries that the launcher takes, with the roles of docs/DATABASE.md.
database() {
  [ ! -s "$D/postgres.port" ] || return 0
  local code
  code="$(cat <<'CODE'
DATA="$1" OPTION[nodes]=2
mkdir -p "$DATA/secrets"
fetch_postgres
choose_postgres_account
[ -d "$DATA/postgres/data" ] || create_cluster
clear_stale_postmaster
ensure_secret "$DATA/secrets/service.password"
(become_postgres "$DATA/postgres/roles.log" postgres --single -D "$DATA/postgres/data" -c log_min_error_statement=panic postgres) <<SQL
CREATE ROLE sluice_service LOGIN PASSWORD '$(cat "$DATA/secrets/service.password")';
GRANT pg_read_all_stats TO sluice, sluice_service;
SQL
start_postgres
CODE
)"
  expect 0 launcher "$code" "$D"
}

end_database() { [ ! -d "$D/postgres/data" ] || launcher 'DATA="$1"; stop_postgres' "$D" >/dev/null 2>&1; }

# PORT: the first of seven ports, three for each of two nodes and one for a balancer.
choose_ports() {
  [ -z "${PORT:-}" ] || return 0
  local tries port
  for ((tries = 0; tries < 20; tries++)); do
    port=$((21000 + RANDOM % 900 * 10))
    # shellcheck disable=SC2016 # expanded in the inner shell
    ! launcher 'for port in $(seq "$1" $(($1 + 6))); do ! port_is_busy "$port" || exit 0; done; exit 1' "$port" || continue
    PORT="$port"
    return 0
  done
  fail "no free ports"
}

# Two tokens where the unit lets a node write, made as the node's user, and what the administrator gives setup, readable by root.
tokens() {
  local hsm="$ROOT/var/lib/sluice-hsm" given="$ROOT/opt/given" label
  mkdir -p "$hsm/tokens" "$given" && chmod 700 "$given" &&
    printf 'directories.tokendir = /var/lib/sluice-hsm/tokens\nobjectstore.backend = file\nlog.level = ERROR\n' >"$ROOT$HSM_CONF" || return 1
  inside chown -R sluice:sluice /var/lib/sluice-hsm && chmod 644 "$ROOT$HSM_CONF" || return 1
  for label in root issuing; do
    printf '%06d\n' $((RANDOM * 30 + RANDOM % 30)) >"$given/$label.pin"
    expect 0 inside env "SOFTHSM2_CONF=$HSM_CONF" softhsm2-util --init-token --free --label "$label" --pin "$(cat "$given/$label.pin")" --so-pin 90210000 || return 1
  done
  cp "$D/secrets/database.password" "$given/owner.password" && cp "$D/secrets/service.password" "$given/"
}

# setup_node NAME PORT MORE…: by options, without a terminal. SoftHSM is no HSM: its files must be the node's own afterwards.
setup_node() {
  local name="$1" port="$2" module started="$EPOCHREALTIME"
  shift 2
  module="$(cd "$ROOT" && find usr/lib -name libsofthsm2.so | sed 1q)"
  expect 0 inside env "SOFTHSM2_CONF=$HSM_CONF" sluice setup --non-interactive \
    --database-url "jdbc:postgresql://127.0.0.1:$(cat "$D/postgres.port")/sluice" \
    --database-user sluice_service --database-password-file /opt/given/service.password \
    --module "/$module" --token-label issuing --pin-file /opt/given/issuing.pin \
    --public-url http://pki.example.com --service-url "https://localhost:${FRONT:-$port}" --node-name "$name" "$@" || return 1
  SETUP_IN="$(seconds_since "$started")"
  inside chown -R sluice:sluice /var/lib/sluice-hsm || return 1
  # Not asked by setup: ports of a machine that may have others, and SoftHSM's own file.
  grep -q '^SOFTHSM2_CONF=' "$ROOT/etc/sluice/node.env" ||
    printf '%s\n' "SERVER_PORT=$port" "SLUICE_HTTP_PORT=$((port + 1))" "MANAGEMENT_SERVER_PORT=$((port + 2))" "SOFTHSM2_CONF=$HSM_CONF" >>"$ROOT/etc/sluice/node.env"
}

# What makes schema, keys and issuers, too.
setup_first_node() {
  setup_node packaged "$PORT" --database-migration-user sluice --database-migration-password-file /opt/given/owner.password \
    --subject 'CN=Packaged Issuing CA,O=Example,C=DE' --root-token-label root --root-pin-file /opt/given/root.pin \
    --root-subject 'CN=Packaged Root CA,O=Example,C=DE' --no-calibrate "$@"
}

# For a node in another root, on the same ledger.
keep_tokens() { tar -cf "$WORK/tokens.tar" -C "$ROOT" opt/given var/lib/sluice-hsm etc/sluice/ceremony; }

# settings OF: the lines of the unit that begin so, without it.
settings() { sed -n "s/^$1=//p" "$UNIT"; }

# service_credentials: copies of its own, for its user. Sets ENVIRONMENT, what the program finds there. As the service
# manager does it.
service_credentials() {
  local credentials="/run/credentials/${UNIT##*/}" pair
  mkdir -p "$ROOT$credentials" && chmod 755 "$ROOT/run/credentials" || return 1
  while IFS= read -r pair; do
    cp "$ROOT${pair#*:}" "$ROOT$credentials/${pair%%:*}" || return 1
  done < <(settings LoadCredential)
  inside chown -R sluice:sluice "$credentials" || return 1
  mapfile -t ENVIRONMENT < <(settings Environment | sed "s#%d#$credentials#"; sed '/^#/d; /^$/d; s/^\([A-Z0-9_]*\)="\(.*\)"$/\1=\2/' "$ROOT$(settings EnvironmentFile)")
  ENVIRONMENT+=("CREDENTIALS_DIRECTORY=$credentials")
}

# service_words: the words of a command with the unit's user, folder and program. Sets WORDS.
service_words() {
  local folder
  folder="$(settings WorkingDirectory)"
  WORDS=(setpriv "--reuid=$(settings User)" "--regid=$(settings Group)" --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all
    env "--chdir=${folder:-/}" "${ENVIRONMENT[@]}" "$@" "$(settings ExecStart)")
}

# Where the owner's password is: as the service manager does before each start of the node.
migrate_as_owner() {
  local UNIT="$FILES/sluice-migrate.service" ENVIRONMENT WORDS
  [ -e "$ROOT/etc/sluice/owner.password" ] || return 0
  service_credentials && service_words && expect 0 inside "${WORDS[@]}"
}

# Credentials, environment, folder, user and program of the unit. The JVM must take the cache.
start_node() {
  local ENVIRONMENT WORDS
  STARTED="$EPOCHREALTIME"
  migrate_as_owner && service_credentials && service_words "JDK_JAVA_OPTIONS=${NODE_OPTIONS--XX:AOTMode=on}" || return 1
  "${ENTER[@]}" "$ROOT" "${WORDS[@]}" >"$WORK/node.log" 2>&1 </dev/null &
  NODE_PID=$!
}

# ready_node PORT: starts it and waits for it.
ready_node() {
  start_node && await "$START_SECONDS" is_ready_or_ended "$1" && is_ready "$1" >/dev/null || fail "no node: $(tail -n 5 "$WORK/node.log" 2>/dev/null)" || return 1
  STARTED_IN="$(seconds_since "$STARTED")"
}

is_ready() { [ -d "/proc/$NODE_PID" ] && curl -sf --noproxy '*' --max-time 2 "http://127.0.0.1:$(($1 + 2))/actuator/health/readiness"; }

is_ready_or_ended() { [ ! -d "/proc/$NODE_PID" ] || is_ready "$1"; }

# As the service manager ends it: it drains.
end_node() {
  local status=0
  kill -s TERM "$NODE_PID"
  wait "$NODE_PID" || status=$?
  NODE_PID=''
  [ "$status" -eq 143 ] || fail "ended with $status: $(tail -n 3 "$WORK/node.log")"
}

# A user with what an administrator gives a client.
alice() {
  local home="$ROOT/home/alice"
  inside useradd --create-home alice && cp "$ROOT"/etc/sluice/ceremony/{root.pem,chain.pem,enroll.token} "$home/" && inside chown -R alice:alice /home/alice
}

as_alice() { inside setpriv --reuid=alice --regid=alice --clear-groups env --chdir=/home/alice HOME=/home/alice "$@"; }

# enroll PORT NAME: as that user, by the client; the certificate must verify.
enroll() {
  local home="$ROOT/home/alice"
  expect 0 as_alice sluice enroll --url "https://localhost:$1" --ca-file root.pem --token-file enroll.token --profile tls-server \
    --dns "$2" --key "$2.key" --out "$2.pem" || fail "$(tail -n 5 "$WORK/node.log")" || return 1
  openssl verify -x509_strict -CAfile "$home/root.pem" -untrusted "$home/chain.pem" "$home/$2.pem" >/dev/null || fail "the certificate does not verify"
}
