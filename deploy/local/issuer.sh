# shellcheck shell=bash
# Issuers put into service and out of it: clients of the REST interface. Their keys come from `./sluice ceremony`.

# `./sluice issuer list | install NAME CHAIN.pem | renew NAME CHAIN.pem | retire NAME`
issuer_command() {
  local step="${1:-}" wanted
  case "$step" in
    list) wanted=0 ;;
    retire) wanted=1 ;;
    install | renew) wanted=2 ;;
    *) bad_usage "issuer needs list, install, renew or retire, not '$step'" ;;
  esac
  shift
  client_options json "$@"
  [ ${#ARGUMENTS[@]} -eq $wanted ] || bad_usage "issuer $step needs $wanted argument(s)"
  # It becomes part of a path, and of JSON.
  [ $wanted -eq 0 ] || [[ "${ARGUMENTS[0]}" =~ ^[a-z][a-z0-9-]{0,39}$ ]] || bad_usage "'${ARGUMENTS[0]}' is not an issuer's name"
  "issuer_$step"
}

# A line an issuer: name, state, whether the node asked issues under it, end, subject.
issuer_list() {
  begin_client admin.token
  request_until_done '/v1/issuers?state=all' --header 'Accept: application/json'
  if [ "${OPTION[json]:-}" = true ]; then
    cat "$ANSWER/body"
    printf '\n'
    return
  fi
  issuer_table
}

# The answer as a table: one object a line, then its members by name; a subject is text of anybody's.
issuer_table() {
  tr -d '\n\r' <"$ANSWER/body" | sed -E 's/\},[[:space:]]*\{"name":/}\n{"name":/g' | awk '
    function text(member) {
      return match($0, "\"" member "\":\"([^\"\\\\]|\\\\.)*\"") ? substr($0, RSTART + length(member) + 4, RLENGTH - length(member) - 5) : ""
    }
    /"name":/ {
      service = $0 ~ /"restartNeeded":true/ ? "from the next start" : ($0 ~ /"inService":true/ ? "in service" : "-")
      if ($0 ~ /"inService":true/ && $0 ~ /"restartNeeded":true/) service = "in service, renewed from the next start"
      printf "%-20s %-8s %-20s %s  %s\n", text("name"), text("state"), service, text("notAfter"), text("subject")
    }'
}

issuer_install() {
  local chain
  chain="$(issuer_chain)"
  begin_client admin.token
  request_until_done /v1/issuers --header 'Content-Type: application/json' \
    --data-binary "{\"name\":\"${ARGUMENTS[0]}\",\"certificates\":\"$chain\"}"
  ! approval_waits || return 0
  say "issuer ${ARGUMENTS[0]} is installed; each node has it from its next start on, and issues under it where a profile names it"
}

issuer_renew() {
  local chain
  chain="$(issuer_chain)"
  begin_client admin.token
  request_until_done "/v1/issuers/${ARGUMENTS[0]}/certificate" --header 'Content-Type: application/json' \
    --data-binary "{\"certificates\":\"$chain\"}"
  ! approval_waits || return 0
  say "the certificate counts on each node from its next start on"
}

issuer_retire() {
  begin_client admin.token
  request_until_done "/v1/issuers/${ARGUMENTS[0]}/retirement" --header 'Content-Type: application/json' \
    --data-binary "{\"name\":\"${ARGUMENTS[0]}\"}"
  ! approval_waits || return 0
  say "nothing is issued under ${ARGUMENTS[0]} any more, on every node within seconds; its CRLs and OCSP go on"
}

# The file's PEM blocks as the inside of a JSON text: nothing but base64 and the blocks' ends, so nothing to escape.
issuer_chain() {
  local file="${ARGUMENTS[1]}" blocks
  [ -r "$file" ] || die "cannot read certificates from $file"
  blocks="$(sed -n '/^-----BEGIN CERTIFICATE-----[[:space:]]*$/,/^-----END CERTIFICATE-----[[:space:]]*$/p' "$file" | tr -d '\r' | tr '\n' '|')"
  [[ "$blocks" =~ ^[A-Za-z0-9+/=\ |-]+$ ]] || die "$file holds no certificate in PEM, or something else among them"
  printf '%s' "${blocks//|/\\n}"
}
