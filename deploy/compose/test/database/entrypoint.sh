#!/bin/bash
# What the official image does with a new cluster, as far as compose.yaml and Testcontainers ask for it: initdb, the
# first user's password and database, the scripts, the server.
set -euo pipefail
: "${POSTGRES_USER:=postgres}" "${POSTGRES_DB:=$POSTGRES_USER}"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # shellcheck disable=SC2086 # words
  initdb -D "$PGDATA" -U "$POSTGRES_USER" --auth-local=trust --auth-host=scram-sha-256 ${POSTGRES_INITDB_ARGS:-} \
    --pwfile=<(if [ -n "${POSTGRES_PASSWORD_FILE:-}" ]; then cat "$POSTGRES_PASSWORD_FILE"; else printf '%s\n' "$POSTGRES_PASSWORD"; fi)
  printf 'host all all all scram-sha-256\n' >>"$PGDATA/pg_hba.conf"
  pg_ctl -D "$PGDATA" -w -o "-c listen_addresses='' -c unix_socket_directories=/tmp" start
  export PGHOST=/tmp
  [ "$POSTGRES_DB" = postgres ] || psql --no-psqlrc -qv ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d postgres -c "CREATE DATABASE \"$POSTGRES_DB\""
  for script in /docker-entrypoint-initdb.d/*.sh; do
    [ ! -e "$script" ] || bash "$script"
  done
  pg_ctl -D "$PGDATA" -w -m fast stop
fi
exec "$@" -D "$PGDATA" -c "listen_addresses=*" -c unix_socket_directories=/tmp
