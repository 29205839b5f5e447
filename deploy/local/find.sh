# shellcheck shell=bash
# Finding certificates: pages of GET /v1/certificates as a table, or as one JSON document.

# How many pages one command asks for: each looks at 500 certificates, and may show none.
readonly FIND_PAGES_MAX=1000
# More lines than a person reads. --json has no such limit: it is the way to export.
readonly FIND_SHOWN_MAX=1000

client_find() {
  client_options 'subject san profile requester status expires-within json' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "find takes no argument: '${ARGUMENTS[0]}'"
  local name query='' cursor='' pages=0 shown=0 json="${OPTION[json]:-false}"
  for name in subject san profile requester; do
    [ -z "${OPTION[$name]:-}" ] || query+="&$name=$(url_encoded "${OPTION[$name]}")"
  done
  if [ -n "${OPTION[status]:-}" ]; then
    [[ "${OPTION[status]}" =~ ^(valid|revoked|expired)$ ]] || bad_usage "--status is valid, revoked or expired, not '${OPTION[status]}'"
    query+="&status=${OPTION[status]}"
  fi
  if [ -n "${OPTION[expires-within]:-}" ]; then
    require_number expires-within 1 36500
    query+="&expiresAfter=$(utc_after 0)&expiresBefore=$(utc_after "${OPTION[expires-within]}")"
  fi
  begin_client "$(reading_token)"
  while ((pages < FIND_PAGES_MAX)); do
    request_until_done "/v1/certificates?limit=200$query${cursor:+&cursor=$cursor}" --header 'Accept: application/json'
    pages=$((pages + 1))
    cursor="$(json_value next || true)"
    if [ "$json" = true ]; then find_objects "$pages" "$shown"; else find_table; fi
    # A page may be empty, which is no failure of grep's.
    shown=$((shown + $({ grep -oF '"serial":"' "$ANSWER/body" || true; } | wc -l)))
    [ -n "$cursor" ] || break
    [ "$json" = true ] || ((shown < FIND_SHOWN_MAX)) || break
  done
  [ "$json" != true ] || printf ']%s}\n' "${cursor:+,\"next\":\"$cursor\"}"
  [ -n "$cursor" ] || return 0
  say "stopped after $shown certificates, $pages pages; there may be more: narrow the search$([ "$json" = true ] || printf ', or export with --json')"
}

# find_objects PAGE SHOWN: the objects of a page, within one array over all pages. The interface writes the array
# first and the cursor after it.
find_objects() {
  local objects
  [ "$1" != 1 ] || printf '{"certificates":['
  objects="$(tr -d '\n\r' <"$ANSWER/body" | sed -E 's/^\{"certificates":\[//; s/\](,"next":"[^"]*")?\}$//')"
  [ -z "$objects" ] || printf '%s%s' "$([ "$2" = 0 ] || printf ,)" "$objects"
}

# A line a certificate: serial, status, notAfter, profile, requester, subject. Quotes within values come
# escaped and are replaced first, so no subject can look like a field.
find_table() {
  awk '
    function value(object, name,   start) {
      name = "\"" name "\":\""
      start = index(object, name)
      if (!start) return "-"
      object = substr(object, start + length(name))
      return substr(object, 1, index(object, "\"") - 1)
    }
    {
      gsub(/\\\\/, "/")
      gsub(/\\"/, "\047")
      count = split($0, objects, /},{"/)
      for (i = 1; i <= count; i++) {
        object = (i > 1 ? "\"" : "") objects[i]
        if (value(object, "serial") != "-")
          printf "%s  %-7s  %s  %s  %s  %s\n", value(object, "serial"), value(object, "status"),
            value(object, "notAfter"), value(object, "profile"), value(object, "requester"), value(object, "subject")
      }
    }' "$ANSWER/body"
}

utc_after() {
  date -u -d "+$1 days" +%Y-%m-%dT%H:%M:%SZ
}

# RFC 3986 2.1, octet by octet.
url_encoded() {
  local LC_ALL=C
  local text="$1" i character
  for ((i = 0; i < ${#text}; i++)); do
    character="${text:i:1}"
    case "$character" in
      [A-Za-z0-9._~-]) printf '%s' "$character" ;;
      *) printf '%%%02X' "$(($(printf '%d' "'$character") & 255))" ;;
    esac
  done
}
