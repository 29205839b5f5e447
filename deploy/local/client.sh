# shellcheck shell=bash
# Clients of the REST interface: curl and a little bash, so that they also show how to call it.

# How long one command may go on: retries after 429 and 503, and waiting for an order.
readonly CLIENT_WAIT_SECONDS=60
# A server that names no Retry-After, or an absurd one, is asked again after this long.
readonly RETRY_SECONDS_DEFAULT=1
readonly RETRY_SECONDS_MAX=30

client_enroll() {
  client_options 'profile csr out' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "enroll takes no argument: '${ARGUMENTS[0]}'"
  [[ "${OPTION[profile]:-}" =~ ^[A-Za-z0-9._-]{1,64}$ ]] || bad_usage "enroll needs --profile, e.g. tls-server"
  [ -n "${OPTION[csr]:-}" ] || bad_usage "enroll needs --csr FILE"
  [ ! -d "${OPTION[csr]}" ] || die "--csr ${OPTION[csr]} is a folder: name the file that holds the request"
  [ -r "${OPTION[csr]}" ] && [ -s "${OPTION[csr]}" ] || die "cannot read a request from ${OPTION[csr]}"
  begin_client enroll.token
  # One key for all tries: a repeated try can never make a second certificate.
  request_until_done "/v1/certificates?profile=${OPTION[profile]}" \
    --header 'Content-Type: application/pkcs10' --header 'Accept: application/pem-certificate-chain' \
    --header "Idempotency-Key: $(random_hex)" --data-binary "@${OPTION[csr]}"
  local serial
  serial="$(location_serial)"
  if [ "$HTTP_STATUS" = 202 ]; then
    await_order "$serial"
    fetch_certificate "$serial"
  fi
  deliver
  say "issued ${serial:-a certificate}${OPTION[out]:+ to ${OPTION[out]}}"
}

client_get() {
  client_options out "$@"
  local serial
  serial="$(serial_argument get)"
  begin_client "$(reading_token)"
  fetch_certificate "$serial"
  deliver
}

client_revoke() {
  client_options reason "$@"
  local serial
  serial="$(serial_argument revoke)"
  # RFC 5280 5.3.1: the names of reasonCode.
  [[ "${OPTION[reason]:-}" =~ ^[A-Za-z]{1,32}$ ]] || bad_usage "revoke needs --reason, e.g. keyCompromise"
  begin_client admin.token
  request_until_done "/v1/certificates/$serial/revocation" --header 'Content-Type: application/json' \
    --data-binary "{\"reason\":\"${OPTION[reason]}\"}"
  say "revoked $serial (${OPTION[reason]})"
  name_same_key
}

# The key of what was revoked is compromised: its other certificates are valid until they are revoked, too.
name_same_key() {
  local others other
  others="$(tr -d ' \n' <"$ANSWER/body" | sed -n 's/.*"otherCertificates":\[\([^]]*\)\].*/\1/p' | tr -d '"' | tr ',' ' ')"
  [ -n "$others" ] || return 0
  say "valid certificates with the same key, which was reported as compromised; revoke each:"
  for other in $others; do
    say "  ./sluice revoke $other --reason keyCompromise"
  done
}

# Counts, and revokes only what a count has shown: --confirm names that count, which the nodes remember.
client_revoke_all() {
  client_options 'requester profile issuer issued-after issued-before reason confirm dry-run' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "revoke-all takes no argument: '${ARGUMENTS[0]}'"
  [[ "${OPTION[reason]:-}" =~ ^[A-Za-z]{1,32}$ ]] || bad_usage "revoke-all needs --reason, e.g. keyCompromise"
  [[ "${OPTION[confirm]:-}" =~ ^([0-9a-f]{64})?$ ]] || bad_usage "--confirm is what the count has printed, 64 hexadecimal digits"
  local selection wish confirmation
  selection="$(bulk_selection)"
  wish="\"selection\":{$selection},\"reason\":\"${OPTION[reason]}\""
  begin_client admin.token
  if [ -n "${OPTION[confirm]:-}" ] && [ "${OPTION[dry-run]:-false}" != true ]; then
    request_until_done /v1/revocations --header 'Content-Type: application/json' \
      --data-binary "{$wish,\"dryRun\":false,\"confirmation\":\"${OPTION[confirm]}\"}"
    approval_waits || await_bulk
    return
  fi
  # It reads the ledger from end to end: ten minutes at most, and a node says when it gives up.
  request_until_done /v1/revocations --max-time 660 --header 'Content-Type: application/json' --data-binary "{$wish,\"dryRun\":true}"
  print_bulk_count
  confirmation="$(json_value confirmation)"
  [[ "$(json_value count)" =~ ^[0-9]{1,18}$ && "$confirmation" =~ ^[0-9a-f]{64}$ ]] || die "the answer holds no count"
  if [ "$(json_value count)" = 0 ]; then
    say "nothing to revoke"
    return
  fi
  say "to revoke these within a quarter of an hour: the same with --confirm $confirmation"
  [ "${OPTION[dry-run]:-false}" = true ] || die "nothing was revoked"
}

# The members of the selection as JSON; at least one of the first three.
bulk_selection() {
  local name members=() joined
  for name in requester profile issuer; do
    [ -n "${OPTION[$name]:-}" ] || continue
    [[ "${OPTION[$name]}" =~ ^[a-z0-9][a-z0-9._-]{0,63}$ ]] || bad_usage "--$name: '${OPTION[$name]}' is not a name"
    members+=("\"$name\":\"${OPTION[$name]}\"")
  done
  [ ${#members[@]} -gt 0 ] || bad_usage "revoke-all needs --requester, --profile or --issuer"
  for name in issued-after issued-before; do
    [ -n "${OPTION[$name]:-}" ] || continue
    [[ "${OPTION[$name]}" =~ ^[0-9TZ:.+-]{10,40}$ ]] || bad_usage "--$name is a time like 2026-01-31T12:00:00Z"
    case "$name" in
      issued-after) members+=("\"issuedAfter\":\"${OPTION[$name]}\"") ;;
      *) members+=("\"issuedBefore\":\"${OPTION[$name]}\"") ;;
    esac
  done
  joined="$(IFS=,; printf '%s' "${members[*]}")"
  printf '%s' "$joined"
}

# One line of sums, then a line for each profile and requester, the most first.
print_bulk_count() {
  local member
  for member in byProfile byRequester; do
    tr -d '\n\r' <"$ANSWER/body" | grep -oE "\"$member\"[[:space:]]*:[[:space:]]*\{[^}]*\}" | sed -E 's/^[^{]*\{//; s/\}$//' |
      tr ',' '\n' | sed -nE 's/^[[:space:]]*"([^"]*)"[[:space:]]*:[[:space:]]*([0-9]+).*/'"${member#by}"' \1: \2/p' >"$ANSWER/$member"
  done
  # Names of profiles and requesters must not be taken for the members next to them.
  drop_nested
  printf '%s would be revoked, %s on hold stay so, %s have no revocation information (as of %s)\n' \
    "$(json_value count)" "$(json_value onHold)" "$(json_value refused)" "$(json_value asOf)"
  cat "$ANSWER/byProfile" "$ANSWER/byRequester"
}

# Leaves of the answer what stands at the top of its object.
drop_nested() {
  tr -d '\n\r' <"$ANSWER/body" | sed -E 's/:[[:space:]]*\{[^{}]*\}/:null/g' >"$ANSWER/flat"
  mv -f "$ANSWER/flat" "$ANSWER/body"
}

await_bulk() {
  local location job status
  location="$(header_value Location)"
  [[ "$location" =~ ^/v1/revocations/[0-9a-f-]{36}$ ]] || die "the server accepted the request, but named no job"
  job="${location##*/}"
  say "started as job $job"
  while true; do
    request_until_done "$location" --header 'Accept: application/json'
    status="$(json_value status)"
    case "$status" in
      pending | running) ;;
      *) break ;;
    esac
    ((SECONDS < DEADLINE)) ||
      die "job $job goes on without this command: $(json_value revoked) of $(json_value selected) are revoked after ${OPTION[wait]} s"
    sleep 1
  done
  [ "$status" = "done" ] || die "job $job ended as ${status:-nothing}: $(json_value revoked) of $(json_value selected) are revoked"
  say "revoked $(json_value revoked) (${OPTION[reason]}), $(json_value alreadyRevoked) others were revoked or on hold before"
}

client_options() {
  local own="$1"
  shift
  parse_options "data url token-file client-cert client-key ca-file wait $own" "$@"
  OPTION[wait]="${OPTION[wait]:-$CLIENT_WAIT_SECONDS}"
  require_number wait 0 86400
  OPTION[url]="${OPTION[url]:-${SLUICE_URL:-}}"
  use_data
}

# The token of every command that reads certificates: the administrator's, which sees all of them, or without it the
# enroll token, which sees what it enrolled.
reading_token() {
  if [ -r "$DATA/admin.token" ]; then printf admin.token; else printf enroll.token; fi
}

# The one argument of get and revoke: a serial as openssl, Java or a browser prints it.
serial_argument() {
  [ ${#ARGUMENTS[@]} -eq 1 ] || bad_usage "$1 needs one serial number"
  local serial="${ARGUMENTS[0],,}"
  serial="${serial#serial=}"
  serial="${serial#0x}"
  serial="${serial//:/}"
  # RFC 5280 4.1.2.2: at most 20 octets.
  [[ "$serial" =~ ^[0-9a-f]{1,40}$ ]] || bad_usage "'${ARGUMENTS[0]}' is not a serial number in hex"
  printf '%s' "$serial"
}

# client_credential TOKEN: sets TOKEN, or PROOF for a client that has a certificate instead.
client_credential() {
  local token_file="${OPTION[token-file]:-$DATA/$1}" name
  TOKEN=''
  PROOF=()
  if [ -n "${OPTION[client-cert]:-}${OPTION[client-key]:-}" ]; then
    [ -n "${OPTION[client-cert]:-}" ] && [ -n "${OPTION[client-key]:-}" ] || bad_usage "--client-cert and --client-key belong together"
    [ -z "${OPTION[token-file]:-}" ] || bad_usage "--token-file and --client-cert are two credentials: which one?"
    for name in client-cert client-key; do
      OPTION[$name]="$(absolute_path "${OPTION[$name]}")"
      [ -r "${OPTION[$name]}" ] && [ -f "${OPTION[$name]}" ] || die "--$name: cannot read ${OPTION[$name]}"
    done
    # What follows a colon curl takes for the key's password, unless it is escaped.
    local certificate="${OPTION[client-cert]//\\/\\\\}"
    PROOF=(--cert "${certificate//:/\\:}" --key "${OPTION[client-key]}")
    return 0
  fi
  [ -r "$token_file" ] || die "no token in $token_file: is $DATA the directory of a running ./sluice up? (--data, --token-file)"
  TOKEN="$(head -n 1 "$token_file")"
  # The alphabet of RFC 6750 2.1; also what keeps the token inside its line of curl's configuration.
  [[ "$TOKEN" =~ ^[A-Za-z0-9._~+/-]+=*$ ]] || die "$token_file does not hold a bearer token"
}

# begin_client TOKEN: sets URL, NODE_URLS, TOKEN, CURL and a directory for answers that ends with the command.
begin_client() {
  have curl || missing_prerequisite "curl is missing: install the package curl"
  node_urls
  URL="${NODE_URLS[0]}"
  # A token must never cross a network in the clear.
  [[ "$URL" =~ ^https://[^[:space:]/]+ ]] || bad_usage "--url (SLUICE_URL) begins with https://, not '$URL'"
  client_credential "$1"
  # Retry counts from the start of the command.
  DEADLINE=$((SECONDS + OPTION[wait]))
  ANSWER="$(mktemp -d)"
  trap 'rm -rf "$ANSWER"' EXIT
  CURL=(curl --silent --show-error --config - --connect-timeout 5 --max-time 60
    --noproxy 'localhost,127.0.0.1' --dump-header "$ANSWER/head" --output "$ANSWER/body" --write-out '%{http_code}' "${PROOF[@]}")
  local ca_file="${OPTION[ca-file]:-$DATA/root.pem}"
  if [ -r "$ca_file" ]; then
    CURL+=(--cacert "$ca_file")
  elif [ -n "${OPTION[ca-file]:-}" ]; then
    die "cannot read $ca_file"
  fi
}

# Sets NODE_URLS: the URL that was named, else those of the trial's nodes, which all answer alike.
node_urls() {
  local port nodes i
  NODE_URLS=("${OPTION[url]%/}")
  [ -z "${OPTION[url]}" ] || return 0
  port="$(run_value port)"
  nodes="$(run_value nodes)"
  NODE_URLS=()
  for ((i = 0; i < ${nodes:-1}; i++)); do
    NODE_URLS+=("https://localhost:$((${port:-8443} + i))")
  done
}

# Goes on to the trial's next node; fails after the last one, so each is tried once.
next_node() {
  local i
  for ((i = 0; i + 1 < ${#NODE_URLS[@]}; i++)); do
    [ "${NODE_URLS[i]}" = "$URL" ] || continue
    say "nothing answers at $URL: trying ${NODE_URLS[i + 1]}"
    URL="${NODE_URLS[i + 1]}"
    return 0
  done
  return 1
}

# request PATH CURL-OPTIONS…: one exchange; sets HTTP_STATUS. The token goes in by curl's standard input.
request() {
  local path="$1" status=0 authorization=''
  shift
  [ -z "$TOKEN" ] || authorization="header = \"Authorization: Bearer $TOKEN\""
  : >"$ANSWER/head"
  : >"$ANSWER/body"
  HTTP_STATUS="$("${CURL[@]}" "$@" "$URL$path" <<<"$authorization" 2>"$ANSWER/error")" || status=$?
  case $status in
    0) return 0 ;;
    7)
      next_node || die "nothing answers at ${NODE_URLS[*]}: is it up? (./sluice status)"
      request "$path" "$@"
      ;;
    60 | 35 | 51) die "$URL is not trusted: $(head -n 1 "$ANSWER/error" | cut -c 1-200) (--ca-file names its root)" ;;
    # The answer was lost on the way: worth another try, as 503 is.
    28 | 52 | 55 | 56) HTTP_STATUS=000 ;;
    *) die "$(head -n 1 "$ANSWER/error" | cut -c 1-300)" ;;
  esac
}

# Repeats while the server asks for it and time is left. 409: the first try is still in progress.
request_until_done() {
  local seconds
  while true; do
    request "$@"
    case "$HTTP_STATUS" in
      2??) return 0 ;;
      000 | 409 | 429 | 503) ;;
      *) die_of_problem ;;
    esac
    # A 409 without Retry-After is an answer, not a wait.
    [ "$HTTP_STATUS" != 409 ] || [ -n "$(header_value Retry-After)" ] || die_of_problem
    seconds="$(retry_seconds)"
    ((SECONDS + seconds <= DEADLINE)) || die_of_problem
    say "$(wait_cause): again in $seconds s"
    sleep "$seconds"
  done
}

# Why a request is repeated: load has no problem type of ours; a database or HSM that is away has one.
wait_cause() {
  local title=''
  [ "$HTTP_STATUS" != 000 ] || { printf 'no answer from %s in time' "$URL"; return; }
  [[ "$(json_value type || true)" != /problems/* ]] || title="$(json_value title || true)"
  printf '%s (%s)' "${title:-the server is busy}" "$HTTP_STATUS"
}

# RFC 9110 10.2.3: Retry-After in seconds; a date is answered by the default.
retry_seconds() {
  local seconds
  seconds="$(header_value Retry-After)"
  [[ "$seconds" =~ ^[0-9]{1,6}$ ]] && ((seconds >= 1)) || seconds=$RETRY_SECONDS_DEFAULT
  ((seconds <= RETRY_SECONDS_MAX)) || seconds=$RETRY_SECONDS_MAX
  printf '%s' "$seconds"
}

header_value() {
  awk -v name="$1" 'BEGIN { name = tolower(name) ":" }
    index(tolower($0), name) == 1 { value = substr($0, length(name) + 1); gsub(/^[ \t]+|[ \t\r]+$/, "", value); print value; exit }' "$ANSWER/head"
}

# The last segment of Location: a certificate's serial, and an order's id, which is the serial too.
location_serial() {
  local location
  location="$(header_value Location)"
  [[ "${location##*/}" =~ ^[0-9a-fA-F]{1,40}$ ]] && printf '%s' "${location##*/}" || true
}

await_order() {
  local order="$1" status detail
  [ -n "$order" ] || die "the server accepted the request, but named no order"
  say "accepted as order $order"
  while true; do
    request_until_done "/v1/orders/$order" --header 'Accept: application/json'
    status="$(json_value status)"
    case "$status" in
      issued) return 0 ;;
      pending) ;;
      *)
        detail="$(json_value detail || true)"
        die "order $order ${status:-has no status in the answer}${detail:+: $detail}"
        ;;
    esac
    ((SECONDS + $(retry_seconds) <= DEADLINE)) ||
      die "order $order is still pending after ${OPTION[wait]} s; it is not lost: ./sluice get $order"
    sleep "$(retry_seconds)"
  done
}

fetch_certificate() {
  request_until_done "/v1/certificates/$1" --header 'Accept: application/pem-certificate-chain'
}

# The chain to --out, whole or not at all, else to standard output.
deliver() {
  grep -q 'BEGIN CERTIFICATE' "$ANSWER/body" || die "the answer holds no certificate"
  if [ -z "${OPTION[out]:-}" ]; then
    cat "$ANSWER/body"
    return
  fi
  { cat "$ANSWER/body" >"${OPTION[out]}.new" && mv -f "${OPTION[out]}.new" "${OPTION[out]}"; } 2>/dev/null ||
    die "cannot write ${OPTION[out]}"
  # A certificate is public, whatever the launcher's mask.
  chmod 644 "${OPTION[out]}"
}

# A string or number at the top of a flat JSON object; enough for status, title and detail.
json_value() {
  tr -d '\n\r' <"$ANSWER/body" |
    grep -oE "\"$1\"[[:space:]]*:[[:space:]]*(\"([^\"\\\\]|\\\\.)*\"|[0-9]+)" | head -n 1 |
    sed -E 's/^"[^"]*"[[:space:]]*:[[:space:]]*//; s/^"//; s/"$//; s/\\(["\\\/])/\1/g'
}

# RFC 9457: title and detail as one line.
die_of_problem() {
  local title detail
  [ "$HTTP_STATUS" != 000 ] || die "no answer from $URL in time"
  title="$(json_value title || true)"
  detail="$(json_value detail || true)"
  die "$HTTP_STATUS ${title:-refused}${detail:+: $detail}"
}
