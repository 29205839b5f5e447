# shellcheck shell=bash
# The key ceremony of a trial, once per DIR: issuing key, root, issuer in the ledger, audit key, first tokens.
# Every step is a program of the service's jar; `./sluice ceremony` gives them one by one.

# The PKCS#11 wrapper stands on one internal package; the jar's manifest says so only for `java -jar`.
readonly CEREMONY_FLAGS=(-XX:+UseSerialGC -Xmx128m -XX:TieredStopAtLevel=1
  --add-exports jdk.crypto.cryptoki/sun.security.pkcs11.wrapper=ALL-UNNAMED --enable-native-access=ALL-UNNAMED)
# An RSA-4096 key in a slow token takes a minute; what takes longer hangs.
readonly CEREMONY_STEP_SECONDS=300
readonly CEREMONY_MAIN=org.sluiceca.api.cli.ceremony.CeremonyCommand
readonly SETUP_MAIN=org.sluiceca.api.cli.setup.SetupCommand

# MORE_ISSUERS: words NAME=ALGORITHM.
ceremony() {
  local papers="$DATA/ceremony" issuer name
  mkdir -p "$papers"
  ensure_trial_name "$papers"
  # After an update of the checkout too: nodes serve with a user that cannot change the schema.
  [ -z "${OPTION[database-migration-user]}" ] || ceremony_step migrate "${DATABASE_OPTIONS[@]}"
  if [ ! -s "$DATA/chain.pem" ] || [ ! -s "$DATA/root.pem" ]; then
    say "key ceremony"
    make_issuer "$papers" issuing "${OPTION[issuer-key]}" "$DATA/chain.pem" "CN=Sluice Trial Issuing CA $(cat "$papers/name")"
  fi
  for issuer in "${MORE_ISSUERS[@]}"; do
    name="${issuer%%=*}"
    [ ! -s "$DATA/chain-$name.pem" ] || continue
    say "key ceremony of $name"
    make_issuer "$papers" "$name" "${issuer#*=}" "$DATA/chain-$name.pem" "CN=Sluice Trial $name CA $(cat "$papers/name")"
  done
  if [ ! -s "$DATA/root.crl" ]; then
    root_crl
  fi
  make_audit_key
  ceremony_responders
  trial_endpoints
  [ -s "$DATA/admin.token" ] && [ -s "$DATA/enroll.token" ] && [ -s "$DATA/acme-eab.json" ] || make_credentials
  move_binding
}

# The binding stays when the service's URL has changed.
move_binding() {
  local file="$DATA/acme-eab.json" directory="${OPTION[service-url]}/acme/trial/directory" content
  content="$(<"$file")"
  [[ "$content" != "{\"directory\":\"$directory\","* ]] || return 0
  (umask 077 && printf '{"directory":"%s",%s' "$directory" "${content#*\",}" >"$file.new") && mv "$file.new" "$file"
}

# The endpoints of ACME that a trial opens: one without challenges, and any DNS name for the binding in acme-eab.json; and one
# with challenges and without bindings, where only this machine can reach it.
trial_endpoints() {
  mkdir -p "$DATA/endpoints"
  [ -s "$DATA/endpoints/trial.yaml" ] || cat >"$DATA/endpoints/trial.yaml" <<'YAML'
name: trial
protocol: acme
profiles: [tls-server]
external-account-binding: required
# In a trial alone: elsewhere a binding names its domains.
any-name: true
YAML
  case "${OPTION[bind]}" in
    127.* | ::1) challenge_endpoint >"$DATA/endpoints/trial-challenge.yaml" ;;
    *) rm -f "$DATA/endpoints/trial-challenge.yaml" ;;
  esac
}

challenge_endpoint() {
  local resolvers=''
  [ -z "${OPTION[acme-resolver]}" ] || resolvers="'${OPTION[acme-resolver]}'"
  cat <<YAML
# Written by each start of the trial.
name: trial-challenge
protocol: acme
profiles: [tls-server]
external-account-binding: none
requester: enroll
challenges:
  methods: [http-01, dns-01, tls-alpn-01, dns-persist-01]
  names: ["*"]
  ip-addresses: true
  # In a trial alone: this machine's own addresses are asked.
  addresses: trial
  http-port: ${OPTION[acme-http-port]}
  tls-port: ${OPTION[acme-tls-port]}
  resolvers: [$resolvers]
  issuer-domain-names: [ca.trial.example]
YAML
}

# An expired token is replaced, a valid one is kept.
make_credentials() {
  ceremony_step credentials --out-dir "$DATA" --acme-service-url "${OPTION[service-url]}" --secrets-file "$DATA/secrets.keys" \
    "${DATABASE_OPTIONS[@]}"
  require_result credentials "$DATA/admin.token" "$DATA/enroll.token" "$DATA/acme-eab.json"
}

# Runs each time nodes are started. A node checks in a moment what the step takes a second for; unless the node accepts both
# tokens, the step decides.
renew_credentials() {
  token_is_valid "$DATA/admin.token" && token_is_valid "$DATA/enroll.token" || make_credentials
}

# token_is_valid FILE: for the first node.
token_is_valid() {
  local token
  token="$(head -n 1 "$1")"
  # What could leave its line of curl's configuration is no token.
  [[ "$token" =~ ^[A-Za-z0-9._~+/-]+=*$ ]] || return 1
  curl -sf --noproxy '*' --max-time 5 --cacert "$DATA/root.pem" --output /dev/null --config - \
    "https://localhost:${OPTION[port]}/v1/capacity" <<<"header = \"Authorization: Bearer $token\"" 2>/dev/null
}

# In the token that signs. One that makes no EC keys leaves the checkpoints of the audit trail unsigned, which nodes
# then say.
make_audit_key() {
  [ ! -s "$DATA/audit.pem" ] || return 0
  try_ceremony_step audit-key --module "$TOKEN_MODULE" --token-label "$TOKEN_LABEL" --pin-file "$TOKEN_PIN_FILE" \
    "${DATABASE_OPTIONS[@]}" --public-key-out "$DATA/audit.pem" && [ -s "$DATA/audit.pem" ] ||
    say "warning: no audit key: $(last_words "$DATA/ceremony/audit-key.log") (log $DATA/ceremony/audit-key.log)"
}

# The names of those that still need a ceremony, each after a blank.
missing_issuers() {
  local issuer
  for issuer in "${MORE_ISSUERS[@]}"; do
    [ -s "$DATA/chain-${issuer%%=*}.pem" ] || printf ' %s' "${issuer%%=*}"
  done
}

# make_issuer PAPERS NAME ALGORITHM CHAIN SUBJECT: each step ends with a file; a ceremony that was cut short goes on
# where it stopped.
make_issuer() {
  local papers="$1" issuer="$2" chain="$4" signing
  signing=(--name "$issuer" --module "$TOKEN_MODULE" --token-label "$TOKEN_LABEL" --pin-file "$TOKEN_PIN_FILE")
  ceremony_step issuing-key "${signing[@]}" --key-algorithm "$3" --subject "$5" --csr-out "$papers/$issuer.csr" \
    "${DATABASE_OPTIONS[@]}"
  require_result issuing-key "$papers/$issuer.csr"
  if [ ! -s "$papers/$issuer.pem" ] || [ ! -s "$DATA/root.pem" ]; then
    ceremony_root "$papers" "$issuer"
  fi
  # It may be of a kind that no issuer before was.
  rm -f "$DATA/ceremony/calibrated"
  ceremony_step install --certificate "$papers/$issuer.pem" --root "$DATA/root.pem" \
    "${signing[@]}" "${DATABASE_OPTIONS[@]}" --chain-out "$chain"
  require_result install "$chain"
}

# Its certificate lives for 30 days and nodes renew it, unless none ran for long: then it needs a new one here. A token that
# can have no second key issues all the same.
ceremony_responders() {
  local issuer stamp
  for issuer in issuing "${MORE_ISSUERS[@]%%=*}"; do
    stamp="$DATA/ceremony/ocsp-$issuer"
    [ -z "$(find "$stamp" -mtime -10 2>/dev/null)" ] || continue
    if try_ceremony_step ocsp-responder --issuer "$issuer" --module "$TOKEN_MODULE" --token-label "$TOKEN_LABEL" \
      --pin-file "$TOKEN_PIN_FILE" --subject "CN=Sluice Trial OCSP Responder $issuer" \
      --public-url "${OPTION[public-url]}" "${DATABASE_OPTIONS[@]}"; then
      printf 'made or in order\n' >"$stamp"
    else
      say "warning: no OCSP for $issuer: $(last_words "$DATA/ceremony/ocsp-responder.log") (log $DATA/ceremony/ocsp-responder.log)"
    fi
  done
}

# The one step that opens the root's token.
ceremony_root() {
  local issuing_environment=("${TOKEN_ENVIRONMENT[@]}") name
  name="$(cat "$1/name")"
  TOKEN_ENVIRONMENT=("SOFTHSM2_CONF=$DATA/softhsm/root/softhsm2.conf")
  ceremony_step root --module "$SOFTHSM_MODULE" --token-label sluice-root --pin-file "$DATA/secrets/root.pin" \
    --subject "CN=Sluice Trial Root CA $name" --public-url "${OPTION[public-url]}" --csr "$1/$2.csr" \
    --certificate-out "$1/$2.pem" --root-out "$DATA/root.pem" "${DATABASE_OPTIONS[@]}"
  TOKEN_ENVIRONMENT=("${issuing_environment[@]}")
  require_result root "$1/$2.pem" "$DATA/root.pem"
}

# The root's key is where no node can use it, so its CRL is a step of the ceremony. Good for a year, as a trial is.
root_crl() {
  local issuing_environment=("${TOKEN_ENVIRONMENT[@]}")
  TOKEN_ENVIRONMENT=("SOFTHSM2_CONF=$DATA/softhsm/root/softhsm2.conf")
  ceremony_step crl --module "$SOFTHSM_MODULE" --token-label sluice-root --pin-file "$DATA/secrets/root.pin" \
    --issuer root --public-url "${OPTION[public-url]}" --out "$DATA/root.crl" "${DATABASE_OPTIONS[@]}"
  TOKEN_ENVIRONMENT=("${issuing_environment[@]}")
  require_result crl "$DATA/root.crl"
}

# Once per trial and tokens: nodes that know how fast a token is share it. A token that cannot be measured is filled as
# before.
calibrate_token() {
  local log="$DATA/ceremony/calibrate.log" only_if_missing=(--if-missing) tokens which measured
  tokens=(--module "$TOKEN_MODULE" --token-label "$TOKEN_LABEL" --pin-file "$TOKEN_PIN_FILE")
  which="label $TOKEN_LABEL"
  if [ -n "${OPTION[tokens-file]}" ]; then
    # Nodes with a file look for what was measured under the names in it.
    tokens=(--tokens-file "${OPTION[tokens-file]}")
    which="file $(sha256sum <"${OPTION[tokens-file]}")"
  fi
  if [ "${OPTION[recalibrate]}" = true ]; then
    only_if_missing=()
  elif [ "$(cat "$DATA/ceremony/calibrated" 2>/dev/null)" = "$which" ] || [ -n "$(living_nodes)" ]; then
    return 0
  fi
  say "measuring the token"
  if ! try_ceremony_step calibrate "${only_if_missing[@]}" "${tokens[@]}" "${DATABASE_OPTIONS[@]}"; then
    say "warning: the token is not calibrated, nodes use fixed windows: $(last_words "$log") (log $log)"
    return 0
  fi
  printf '%s\n' "$which" >"$DATA/ceremony/calibrated"
  while IFS= read -r measured; do
    say "$measured"
  done < <(grep '^token ' "$log")
}

ceremony_step() {
  try_ceremony_step "$@" || die "ceremony step $1 failed: $(last_words "$DATA/ceremony/$1.log") (log $DATA/ceremony/$1.log)"
}

try_ceremony_step() {
  run_long "$DATA/ceremony/$1.log" env LC_ALL=C.UTF-8 "${TOKEN_ENVIRONMENT[@]}" timeout "$CEREMONY_STEP_SECONDS" \
    "$JAVA_HOME/bin/java" "${CEREMONY_FLAGS[@]}" -cp "$DIST/ca-api.jar" "$CEREMONY_MAIN" "$@"
}

require_result() {
  local step="$1" file
  shift
  for file in "$@"; do
    [ -s "$file" ] || die "ceremony step $step ended without writing $file (log $DATA/ceremony/$step.log)"
  done
}

# A name of its own, so that two trials in one trust store can be distinguished.
ensure_trial_name() {
  local random
  [ ! -s "$1/name" ] || return 0
  random="$(random_hex)"
  printf '%s\n' "${random:0:8}" >"$1/name"
}

# `./sluice ceremony STEP …`: the user names module, token and files; nothing is taken from DIR.
ceremony_command() {
  prerequisites_to_run
  build
  # Arguments, file names and output may contain non-ASCII characters, whatever the caller's locale.
  exec env LC_ALL=C.UTF-8 "$JAVA_HOME/bin/java" "${CEREMONY_FLAGS[@]}" -cp "$DIST/ca-api.jar" "$CEREMONY_MAIN" "$@"
}

# `./sluice setup …`: the ceremony's steps that are missing, and a node's configuration; nothing is taken from DIR.
setup_command() {
  prerequisites_to_run
  build
  # Arguments, file names and output may contain non-ASCII characters, whatever the caller's locale.
  exec env LC_ALL=C.UTF-8 "$JAVA_HOME/bin/java" "${CEREMONY_FLAGS[@]}" -cp "$DIST/ca-api.jar" "$SETUP_MAIN" "$@"
}
