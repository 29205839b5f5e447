# shellcheck shell=bash
# Finding certificates: pages of GET /v1/certificates as a table, or as they come.

# How many pages one command asks for: each looks at 1,000 certificates, and may show none.
readonly FIND_PAGES_MAX=1000
# More than anybody reads; who wants all names them more narrowly, or follows the pages of the interface.
readonly FIND_SHOWN_MAX=1000

client_find() {
  client_options 'subject san profile requester status expires-within json' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "find takes no argument: '${ARGUMENTS[0]}'"
  local name query='' cursor='' page shown=0
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
  # The administrator sees everybody's; without its token there, what enroll.token enrolled.
  if [ -r "$DATA/admin.token" ]; then begin_client admin.token; else begin_client enroll.token; fi
  for ((page = 0; page < FIND_PAGES_MAX; page++)); do
    request_until_done "/v1/certificates?limit=200$query${cursor:+&cursor=$cursor}" --header 'Accept: application/json'
    if [ "${OPTION[json]:-}" = true ]; then
      cat "$ANSWER/body"
      printf '\n'
    else
      find_table
    fi
    # A page may be empty, which is no failure of grep's.
    shown=$((shown + $({ grep -oF '"serial":"' "$ANSWER/body" || true; } | wc -l)))
    cursor="$(json_value next || true)"
    [ -n "$cursor" ] || return 0
    ((shown < FIND_SHOWN_MAX)) || break
  done
  say "the first $shown; there may be more"
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
