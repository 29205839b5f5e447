#!/usr/bin/env bash
# The one-time steps of a trial's containers, by the launcher's own parts, which lie next to this file:
#   trial.sh secrets     before the database: its passwords
#   trial.sh ceremony    after it: token, root, issuer, first tokens of requesters, calibration
# Both keep what is there. /data holds everything, the root's key too, and is mounted here alone; nodes get
# /data/softhsm/issuing and /credentials/node, the database gets /credentials/database.
set -euo pipefail

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
SLUICE_ROOT=/usr/lib/sluice
DIST=/usr/lib/sluice
JAVA_HOME=/usr/lib/sluice/jre
DATA=/data
umask 077
export LC_ALL=C

declare -A OPTION=(
  [pkcs11-module]='' [token-label]='' [pin-file]='' [tokens-file]='' [recalibrate]=false
  [issuer-key]="${SLUICE_ISSUER_KEY:-ec-p256}" [public-url]="${SLUICE_PUBLIC_URL:?}"
  [service-url]="${SLUICE_SERVICE_URL:-}" [database-migration-user]='' [port]=8443
  # Not this machine's own, so that there is no endpoint that proves names here.
  [bind]=0.0.0.0 [acme-resolver]='' [acme-http-port]='' [acme-tls-port]=''
)
# Used by the parts.
# shellcheck disable=SC2034
MORE_ISSUERS=()
for part in common softhsm ceremony; do
  # shellcheck source=/dev/null
  source "$HERE/$part.sh"
done

# Nodes start when this has ended.
living_nodes() { :; }

# give FILE TARGET MODE: puts a copy into another container's volume, whole or not at all.
give() {
  cp "$1" "$2.new"
  chmod "$3" "$2.new"
  mv -f "$2.new" "$2"
}

secrets() {
  mkdir -p "$DATA/secrets"
  ensure_secret "$DATA/secrets/database-superuser.password"
  ensure_secret "$DATA/secrets/database.password"
  # The server's own user reads them, whose number differs from image to image; the volume is mounted there alone.
  give "$DATA/secrets/database-superuser.password" /credentials/database/superuser.password 0444
  give "$DATA/secrets/database.password" /credentials/database/sluice.password 0444
  give "$DATA/secrets/database.password" /credentials/node/database-password 0400
}

trial_ceremony() {
  # shellcheck disable=SC2034 # read by the parts
  DATABASE_OPTIONS=(--database-url "${SLUICE_DATABASE_URL:?}" --database-user sluice --database-password-file "$DATA/secrets/database.password")
  prepare_tokens
  ceremony
  calibrate_token
  give "$DATA/secrets/issuing.pin" /credentials/node/hsm-pin 0400
  give "$DATA/secrets.keys" /credentials/node/secrets.keys 0400
  mkdir -p /credentials/node/endpoints
  give "$DATA/endpoints/trial.yaml" /credentials/node/endpoints/trial.yaml 0400
  say "the trial is ready for its nodes"
}

case "$*" in
  secrets) secrets ;;
  ceremony) trial_ceremony ;;
  *) bad_usage "trial.sh secrets or trial.sh ceremony" ;;
esac
