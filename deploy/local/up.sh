# shellcheck shell=bash
# `up` and `down`: the order of the steps, and what happens when one fails or the user interrupts.

readonly KEPT_SETTINGS='issuer-key pkcs11-module token-label pin-file tokens-file database-url database-user database-password-file database-migration-user database-migration-password-file'
# What the clients and a second `up` must know of the running nodes.
readonly RUN_KEYS='port http-port management-port management-address bind public-url service-url acme-http-port acme-tls-port acme-resolver node-heap hsm-isolated'

up() {
  parse_options "$UP_OPTIONS" "$@"
  use_data
  recall_settings
  validate_up_options
  use_data make
  lock_data 0
  [ "${OPTION[recalibrate]}" = false ] || [ -z "$(living_nodes)" ] ||
    die "--recalibrate needs the token for itself: stop the nodes of $DATA first (./sluice down)"
  [ -z "$(missing_issuers)" ] || [ -z "$(living_nodes)" ] ||
    die "--more-issuers:$(missing_issuers) is not there yet: stop the nodes of $DATA first (./sluice down)"
  if all_nodes_run; then
    announce
    say "already running; stop with: $(shell_words "$SLUICE_ROOT/sluice" down --data "$DATA")"
    return 0
  fi
  trap up_interrupted INT TERM
  trap up_ended EXIT
  say "a trial: root key and PINs stay in $DATA; for production see docs/OPERATIONS.md"
  check_places
  prerequisites_to_run
  check_ports
  say "JDK $(jdk_version), SoftHSM $(softhsm2-util --version)"
  build
  start_database
  DATABASE_OPTIONS=(--database-url "$DATABASE_URL" --database-user "$DATABASE_USER" --database-password-file "$DATABASE_PASSWORD_FILE")
  # The ceremony migrates with the owner's account; nodes never get its password.
  [ -z "${OPTION[database-migration-user]}" ] ||
    DATABASE_OPTIONS+=(--database-migration-user "${OPTION[database-migration-user]}"
      --database-migration-password-file "${OPTION[database-migration-password-file]}")
  prepare_tokens
  ceremony
  calibrate_token
  remember_settings
  if [ "${OPTION[prepare]}" = true ]; then
    say "prepared $DATA; start its nodes with: $(shell_words "$SLUICE_ROOT/sluice" up --data "$DATA")"
    # What ends every `up` stops the database.
    return 0
  fi
  train_nodes
  start_nodes
  renew_credentials
  write_run_file
  UP_READY=yes
  announce
  if [ "${OPTION[detach]}" = true ]; then
    trap - EXIT INT TERM
    return 0
  fi
  unlock_data
  hold
}

# What a DIR was made with holds for its life: a second `up` needs no repeating, and cannot change it by accident.
recall_settings() {
  local key value
  [ -r "$DATA/settings" ] || return 0
  while IFS= read -r key && IFS= read -r value; do
    if [ -z "${CHOSEN[$key]:-}" ]; then
      OPTION[$key]="$value"
    elif [[ "$key" =~ ^(issuer-key|token-label)$ && "${OPTION[$key]}" != "$value" ]]; then
      die "$DATA was made with --$key ${value:-of its own}: use another --data for ${OPTION[$key]}"
    elif [ "$key" = database-url ] && [ -z "$value" ]; then
      die "the ledger of $DATA is in its embedded PostgreSQL: use another --data for another database"
    fi
  done <"$DATA/settings"
}

# Two lines a setting, since a value may be empty or hold anything but a line break.
remember_settings() {
  local key
  for key in $KEPT_SETTINGS; do
    printf '%s\n%s\n' "$key" "${OPTION[$key]}"
  done >"$DATA/settings.new"
  mv -f "$DATA/settings.new" "$DATA/settings"
}

# True if every node asked for lives and is ready. Nodes that run with other settings are an error:
# they would go on with the old ones.
all_nodes_run() {
  local i living
  living="$(living_nodes)"
  [ -n "$living" ] || return 1
  check_run_file
  # Never fewer than run: `up` adds nodes, `down` takes them away.
  ((OPTION[nodes] >= $(wc -l <<<"$living"))) || OPTION[nodes]="$(wc -l <<<"$living")"
  for ((i = 0; i < OPTION[nodes]; i++)); do
    [ -n "$(node_pid "$i")" ] && node_is_ready "$i" || return 1
  done
}

write_run_file() {
  local key living
  living="$(living_nodes | wc -l)"
  {
    for key in $RUN_KEYS; do
      printf '%s: %s\n' "$key" "${OPTION[$key]}"
    done
    printf 'nodes: %s\n' "$living"
  } >"$DATA/run.new"
  mv -f "$DATA/run.new" "$DATA/run"
}

# run_value KEY: what the last `up` on DATA used; empty if there was none.
run_value() { sed -n "s/^$1: //p" "$DATA/run" 2>/dev/null || true; }

check_run_file() {
  local key running
  for key in $RUN_KEYS; do
    running="$(run_value "$key")"
    [ -n "$running" ] && [ "$running" != "${OPTION[$key]}" ] || continue
    [ -z "${CHOSEN[$key]:-}" ] || die "nodes of $DATA run with --$key $running: stop them first (./sluice down)"
    OPTION[$key]="$running"
  done
}

# The ready line, once, exactly so; then lines that can be pasted as they are.
announce() {
  printf 'ready %s node(s) https://localhost:%s data=%s\n' "${OPTION[nodes]}" "${OPTION[port]}" "$DATA"
  local i
  for ((i = 0; i < OPTION[nodes]; i++)); do
    refused_profile_lines "$i" >&2
  done
  first_certificate
}

# first_certificate [URL]: how to ask for one, where a trial's clients do not find the node by DIR.
first_certificate() {
  local sluice directory
  sluice="$(shell_words "$SLUICE_ROOT/sluice")"
  [ "$PWD" != "$SLUICE_ROOT" ] || sluice=./sluice
  directory="$(shell_words "$DATA")"
  cat <<EXAMPLE

# A first certificate:
D=$directory
openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "\$D/example.key" -out "\$D/example.csr" -subj /CN=www.example.com -addext subjectAltName=DNS:www.example.com
$sluice enroll --data "\$D"${1:+ --url $1} --profile tls-server --csr "\$D/example.csr" --out "\$D/example.pem"
openssl verify -x509_strict -CAfile "\$D/root.pem" -untrusted "\$D/chain.pem" "\$D/example.pem"
EXAMPLE
}

shell_words() { printf '%q ' "$@" | sed 's/ $//'; }

# In the foreground: until the user interrupts, or `down` ends the nodes from elsewhere.
hold() {
  local i alive
  say "running; Ctrl-C stops it"
  while true; do
    sleep 1 &
    wait $! || true
    alive=''
    for i in "${NODES_STARTED[@]}"; do
      if [ -n "$(node_pid "$i")" ]; then
        alive=yes
      elif [ -e "$DATA/node-$i.pid" ]; then
        # A `down` elsewhere holds the lock until it has removed the file.
        lock_data $((3 * NODE_STOP_SECONDS))
        if [ -e "$DATA/node-$i.pid" ]; then
          rm -f "$DATA/node-$i.pid"
          say "node $i ended by itself: $(node_last_words "$i") (log $DATA/node-$i.log)"
          UP_FAILED=yes
        fi
        unlock_data
      fi
    done
    [ -n "$alive" ] || break
  done
  exit "$([ -z "${UP_FAILED:-}" ] && echo 0 || echo 1)"
}

up_interrupted() {
  trap '' INT TERM
  [ -z "$LONG_CHILD" ] || kill -s TERM "$LONG_CHILD" 2>/dev/null || true
  [ -n "${UP_READY:-}" ] || die "interrupted before it was ready"
  exit 0
}

# Whatever the way out, nothing that this `up` started is left behind half-way.
up_ended() {
  trap '' INT TERM
  set +e
  [ ${#NODES_STARTED[@]} -eq 0 ] && [ -z "$POSTGRES_STARTED" ] && return
  say "stopping"
  stop_nodes "${NODES_STARTED[@]}"
  # Nodes of an earlier `up` may still need the database.
  [ -z "$POSTGRES_STARTED" ] || [ -n "$(living_nodes)" ] || stop_postgres
}

down() {
  parse_options data "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "down takes no argument: '${ARGUMENTS[0]}'"
  use_data
  if [ ! -d "$DATA" ]; then
    say "nothing runs in $DATA"
    return 0
  fi
  [ -w "$DATA" ] || die "cannot write to $DATA: run down as the user who ran up"
  lock_data 10
  local numbers
  mapfile -t numbers < <(node_numbers)
  [ ${#numbers[@]} -eq 0 ] || stop_nodes "${numbers[@]}"
  stop_postgres
  say "stopped $DATA"
}
