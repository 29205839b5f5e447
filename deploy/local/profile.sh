# shellcheck shell=bash
# Trying profiles without issuing: a program of the service's jar, which needs no database and no token.

readonly PROFILE_FLAGS=(-XX:+UseSerialGC -Xmx128m -XX:TieredStopAtLevel=1)
readonly PROFILE_MAIN=org.sluiceca.api.check.ProfileCommand

# `./sluice profile check|lint …`: check takes DIR's chain as the issuer if there is one, and the profiles that
# the nodes were told of (SLUICE_PROFILES); both can be named instead.
profile_command() {
  local data="${SLUICE_DATA:-$SLUICE_ROOT/var}" arguments=() more=()
  while [ $# -gt 0 ]; do
    case "$1" in
      --data) [ $# -ge 2 ] || bad_usage "--data needs a directory"; data="$2"; shift ;;
      --data=*) data="${1#--data=}" ;;
      *) arguments+=("$1") ;;
    esac
    shift
  done
  if [ "${arguments[0]:-}" = check ]; then
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
