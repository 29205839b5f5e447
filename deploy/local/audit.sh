# shellcheck shell=bash
# The auditor's commands: a program of the service's jar, on the database of DIR.

readonly AUDIT_FLAGS=(-XX:+UseSerialGC -Xmx128m -XX:TieredStopAtLevel=1)
readonly AUDIT_MAIN=org.sluiceca.api.cli.audit.AuditCommand

# `./sluice audit verify|export …`: takes DIR's database, its audit.pem and what its nodes exported; --key,
# --checkpoints and the database can be named instead.
audit_command() {
  local data='' arguments=() more=() folder status=0
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
  [[ "${arguments[0]:-}" =~ ^(verify|export|--help|-h)$ ]] || bad_usage "audit takes verify or export"
  parse_options data ${data:+"--data=$data"}
  use_data
  if [ "${arguments[0]}" = verify ]; then
    names_option key "${arguments[@]}" || [ ! -s "$DATA/audit.pem" ] || more+=(--key "$DATA/audit.pem")
    if ! names_option checkpoints "${arguments[@]}"; then
      for folder in "$DATA"/node-*/audit; do
        [ ! -d "$folder" ] || more+=(--checkpoints "$folder")
      done
    fi
  fi
  prerequisites_to_run
  build
  if [[ "${arguments[0]}" == -* ]] || names_option help "${arguments[@]}"; then
    run_audit "${arguments[@]}"
    return
  fi
  if ! names_option database-url "${arguments[@]}"; then
    database_of_data
    more+=(--database-url "$DATABASE_URL" --database-user "$DATABASE_USER" --database-password-file "$DATABASE_PASSWORD_FILE")
  fi
  run_audit "${arguments[@]}" "${more[@]}" || status=$?
  exit "$status"
}

run_audit() {
  run_long - "$JAVA_HOME/bin/java" "${AUDIT_FLAGS[@]}" -cp "$DIST/ca-api.jar" "$AUDIT_MAIN" "$@"
}

# The database that DIR's nodes use; an embedded one that does not run is started, and stopped again.
database_of_data() {
  [ -r "$DATA/settings" ] || die "no trial in $DATA: name it with --data, or the database with --database-url"
  recall_settings
  [ -n "${OPTION[database-url]}" ] || [ -d "$DATA/postgres/data" ] || die "no database in $DATA"
  if [ -z "${OPTION[database-url]}" ] && [ -z "$(postgres_pid)" ]; then
    [ -w "$DATA" ] || die "the database of $DATA does not run: run as the user who ran up"
    lock_data 10
    trap audit_ended EXIT
    trap 'exit 1' INT TERM
  fi
  start_database
}

audit_ended() {
  trap '' INT TERM
  set +e
  [ -z "$LONG_CHILD" ] || kill -s TERM "$LONG_CHILD" 2>/dev/null
  [ -z "$POSTGRES_STARTED" ] || stop_postgres
}
