# shellcheck shell=bash
# The audit trail. The client exports it over REST and verifies exported files; a program of the service's jar verifies
# and exports what is in the database, without a running node.

readonly AUDIT_FLAGS=(-XX:+UseSerialGC -Xmx128m -XX:TieredStopAtLevel=1)
readonly AUDIT_MAIN=org.sluiceca.api.cli.audit.AuditCommand

# `./sluice audit verify|export …`: the client's, except where the database is meant: by --database-url, by verify without
# a file, by export while no node of DIR runs. verify takes DIR's audit.pem and what its nodes exported, unless named.
audit_command() {
  local data='' arguments=() more=() folder status=0
  case "${1:-}" in verify | export) ;; --help | -h) client "$@" ;; *) bad_usage "audit takes verify or export" ;; esac
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
  parse_options data ${data:+"--data=$data"}
  use_data
  if ! means_the_database "${arguments[@]}"; then
    # Verifying files needs no service.
    [ "${arguments[0]}" = verify ] || [ -z "$data" ] || more=(--data "$data")
    client "${arguments[@]}" "${more[@]}"
  fi
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
  if ! names_option database-url "${arguments[@]}"; then
    database_of_data
    more+=(--database-url "$DATABASE_URL" --database-user "$DATABASE_USER" --database-password-file "$DATABASE_PASSWORD_FILE")
  fi
  run_audit "${arguments[@]}" "${more[@]}" || status=$?
  exit "$status"
}

# means_the_database STEP ARGUMENTS…
means_the_database() {
  local step="$1" option
  shift
  ! names_option database-url "$@" || return 0
  ! names_option help "$@" || return 1
  if [ "$step" = verify ]; then
    ! names_a_file "$@"
    return
  fi
  [ -z "${SLUICE_URL:-}" ] || return 1
  for option in url connection token-file ca-file client-cert client-key wait out resume until kind quiet; do
    ! names_option "$option" "$@" || return 1
  done
  [ -r "$DATA/settings" ] && [ -z "$(living_nodes)" ]
}

# names_a_file ARGUMENTS…: is one of them neither an option nor the value of one?
names_a_file() {
  local word before=''
  for word in "$@"; do
    [[ "$word" == -?* || ("$before" == --* && "$before" != --*=* && "$before" != --quiet) ]] || return 0
    before="$word"
  done
  return 1
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

# names_option NAME ARGUMENTS…: is --NAME among them, alone or with =VALUE?
names_option() {
  local name="--$1" argument
  shift
  for argument in "$@"; do
    case "$argument" in "$name" | "$name="*) return 0 ;; esac
  done
  return 1
}
