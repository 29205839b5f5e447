# shellcheck shell=bash
# Trying profiles without issuing: a program of the service's jar, which needs no database and no token. Storing and
# activating them: clients of the REST interface.

readonly PROFILE_FLAGS=(-XX:+UseSerialGC -Xmx128m -XX:TieredStopAtLevel=1)
readonly PROFILE_MAIN=org.sluiceca.api.cli.check.ProfileCommand

# `./sluice profile check|lint …`: check takes DIR's chain as the issuer if there is one, and the profiles that
# the nodes were given (SLUICE_PROFILES); both can be named instead.
profile_command() {
  case "${1:-}" in
    add | activate | file | versions)
      "profile_$1" "${@:2}"
      return
      ;;
  esac
  local data='' arguments=() more=()
  while [ $# -gt 0 ]; do
    case "$1" in
      --data | --data=*)
        [ -z "$data" ] || bad_usage "--data is given twice"
        if [ "$1" = --data ]; then shift; data="${1:-}"; else data="${1#--data=}"; fi
        [ -n "$data" ] && [[ "$data" != --* ]] || bad_usage "--data needs a directory"
        ;;
      *) arguments+=("$1") ;;
    esac
    shift
  done
  data="${data:-${SLUICE_DATA:-$SLUICE_ROOT/var}}"
  if [ "${arguments[0]:-}" = lint ]; then
    names_option profiles "${arguments[@]}" || [ -z "${SLUICE_PROFILES:-}" ] || more+=(--profiles "$SLUICE_PROFILES")
  fi
  if [ "${arguments[0]:-}" = check ]; then
    local public_url
    public_url="$(DATA="$data" run_value public-url)"
    names_option public-url "${arguments[@]}" || [ -z "$public_url" ] || more+=(--public-url "$public_url")
    names_option chain "${arguments[@]}" || [ ! -s "$data/chain.pem" ] || more+=(--chain "$data/chain.pem")
    names_option profiles "${arguments[@]}" || [ -z "${SLUICE_PROFILES:-}" ] || more+=(--profiles "$SLUICE_PROFILES")
  fi
  prerequisites_to_run
  build
  exec "$JAVA_HOME/bin/java" "${PROFILE_FLAGS[@]}" -cp "$DIST/ca-api.jar" "$PROFILE_MAIN" "${arguments[@]}" "${more[@]}"
}

# names_option NAME ARGUMENTS…: is --NAME among them, alone or with =VALUE?
names_option() {
  local name="--$1" argument
  shift
  for argument in "$@"; do
    case "$argument" in "$name" | "$name="*) return 0 ;; esac
  done
  return 1
}

# Stores a version, by which nothing issues yet.
profile_add() {
  client_options '' "$@"
  [ ${#ARGUMENTS[@]} -eq 1 ] || bad_usage "profile add needs one file"
  [ -r "${ARGUMENTS[0]}" ] && [ -s "${ARGUMENTS[0]}" ] || die "cannot read a profile from ${ARGUMENTS[0]}"
  begin_client admin.token
  request_until_done /v1/profiles --header 'Content-Type: application/yaml' --data-binary "@${ARGUMENTS[0]}"
  say "stored $(json_value name) version $(json_value version); to have it issue: ./sluice profile activate $(json_value name) $(json_value version)"
}

# Names the activation that it follows, so that of two administrators who do this at once one receives an error.
profile_activate() {
  client_options '' "$@"
  [ ${#ARGUMENTS[@]} -eq 2 ] || bad_usage "profile activate needs a name and a version"
  local name version="${ARGUMENTS[1]}" replaces
  name="$(profile_name)"
  [[ "$version" =~ ^[1-9][0-9]{0,6}$ ]] || bad_usage "'$version' is not a version"
  begin_client admin.token
  request_until_done "/v1/profiles/$name/versions" --header 'Accept: application/json'
  replaces="$(json_value activation || true)"
  request_until_done "/v1/profiles/$name/active" --request PUT --header 'Content-Type: application/json' \
    --data-binary "{\"version\":$version,\"replaces\":${replaces:-0}}"
  ! approval_waits || return 0
  say "$name issues by version $version within seconds, on every node"
}

# Gives a profile back to the nodes' own files.
profile_file() {
  client_options '' "$@"
  [ ${#ARGUMENTS[@]} -eq 1 ] || bad_usage "profile file needs a name"
  local name
  name="$(profile_name)"
  begin_client admin.token
  request_until_done "/v1/profiles/$name/active" --request DELETE
  ! approval_waits || return 0
  say "$name issues by each node's own file within seconds"
}

# A line a stored version, the active one with a star: version, who stored it, when, SHA-256.
profile_versions() {
  client_options json "$@"
  [ ${#ARGUMENTS[@]} -eq 1 ] || bad_usage "profile versions needs a name"
  local name active
  name="$(profile_name)"
  begin_client admin.token
  request_until_done "/v1/profiles/$name/versions" --header 'Accept: application/json'
  if [ "${OPTION[json]:-}" = true ]; then
    cat "$ANSWER/body"
    printf '\n'
    return
  fi
  active="$(tr -d '\n\r' <"$ANSWER/body" | grep -oE '"active":\{[^}]*\}' | grep -oE '"version":[0-9]+' | grep -oE '[0-9]+' || true)"
  say "active: ${active:-none, so each node issues by its own file}; the node asked issues by $(profile_issuing)"
  { tr -d '\n\r' <"$ANSWER/body" | grep -oE '\{"version":[0-9]+,[^}]*\}' || true; } |
    sed -E 's/^\{"version":([0-9]+),"sha256":"([0-9a-f]*)","addedBy":"([^"]*)","addedAt":"([^"]*)"\}$/\1 \3 \4 \2/' |
    awk -v active="${active:-0}" '{ printf "%s %-7s %s  %s  %s\n", $1 == active ? "*" : " ", $1, $2, $3, $4 }'
}

profile_issuing() {
  local issuing refused
  issuing="$(json_value issuing || true)"
  refused="$(json_value refused || true)"
  printf '%s' "${issuing:-none}${refused:+ and refuses what is active: $refused}"
}

# The first argument: as the profile's name must be, since it becomes part of a path.
profile_name() {
  [[ "${ARGUMENTS[0]}" =~ ^[a-z][a-z0-9-]{0,39}$ ]] || bad_usage "'${ARGUMENTS[0]}' is not a profile's name"
  printf '%s' "${ARGUMENTS[0]}"
}
