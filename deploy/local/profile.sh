# shellcheck shell=bash
# Trying profiles without issuing: a program of the service's jar, which needs no database and no token. Storing and
# activating them is the client's.

readonly PROFILE_FLAGS=(-XX:+UseSerialGC -Xmx128m -XX:TieredStopAtLevel=1)
readonly PROFILE_MAIN=org.sluiceca.api.cli.check.ProfileCommand

# `./sluice profile check|lint …`: check takes DIR's chain as the issuer if there is one, and the profiles that
# the nodes were given (SLUICE_PROFILES); both can be named instead.
profile_command() {
  case "${1:-}" in check | lint | --help | -h) ;; *) client "$@" ;; esac
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
