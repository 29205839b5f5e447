# shellcheck shell=bash
# The embedded PostgreSQL: a real one, a process of its own under DIR/postgres, which outlives the nodes.

readonly POSTGRES_START_SECONDS=60
readonly POSTGRES_STOP_SECONDS=30
# What a node may hold open: its pool, recovery, and one for the ceremony; measured need is about half.
readonly CONNECTIONS_PER_NODE=16

POSTGRES_STARTED=''

# Sets DATABASE_URL, DATABASE_USER and DATABASE_PASSWORD_FILE; starts the embedded server unless a URL was given.
start_database() {
  DATABASE_URL="${OPTION[database-url]}"
  DATABASE_USER="${OPTION[database-user]}"
  DATABASE_PASSWORD_FILE="${OPTION[database-password-file]}"
  [ -z "$DATABASE_URL" ] || return 0
  DATABASE_USER=sluice
  DATABASE_PASSWORD_FILE="$DATA/secrets/database.password"
  if [ -z "$(postgres_pid)" ]; then
    fetch_postgres
    choose_postgres_account
    [ -d "$DATA/postgres/data" ] || create_cluster
    clear_stale_postmaster
    start_postgres
  fi
  DATABASE_URL="jdbc:postgresql://127.0.0.1:$(postgres_port)/sluice"
}

# The postmaster's pid if it lives. Its own pid file may be stale, its working directory cannot be.
postgres_pid() {
  local pid
  [ -r "$DATA/postgres/data/postmaster.pid" ] || return 0
  pid="$(head -n 1 "$DATA/postgres/data/postmaster.pid")"
  works_in_cluster "$pid" || return 0
  printf '%s' "$pid"
}

# Root of a container may not see where another user's process works: then the postmaster's command line shows it.
works_in_cluster() {
  [[ "$1" =~ ^[1-9][0-9]*$ ]] || return 1
  local directory
  if directory="$(readlink "/proc/$1/cwd" 2>/dev/null)"; then
    [ "$directory" = "$(readlink -f "$DATA/postgres/data")" ]
  else
    { tr '\0' '\n' <"/proc/$1/cmdline"; } 2>/dev/null | grep -qxF -- "$DATA/postgres/data"
  fi
}

# Line 4 of postmaster.pid is the port of the running server.
postgres_port() { sed -n 4p "$DATA/postgres/data/postmaster.pid"; }

# PostgreSQL refuses uid 0. Inside an empty user namespace root is nobody, yet its files stay root's.
# Where namespaces are forbidden (containers), it runs as the user nobody and owns its directory.
choose_postgres_account() {
  POSTGRES_AS=()
  is_root || return 0
  POSTGRES_AS=(unshare --user --)
  ! postgres_account_works || return 0
  POSTGRES_AS=(setpriv --reuid=65534 --regid=65534 --clear-groups --)
  chmod o+x "$DATA"
  postgres_account_works ||
    die "PostgreSQL does not run as root, user namespaces are forbidden here, and nobody cannot reach $DATA or $POSTGRES_HOME: run ./sluice as an ordinary user, or give --database-url"
  mkdir -p "$DATA/postgres"
  chown -R 65534:65534 "$DATA/postgres"
}

postgres_account_works() {
  "${POSTGRES_AS[@]}" test -x "$POSTGRES_HOME/bin/postgres" 2>/dev/null && "${POSTGRES_AS[@]}" test -x "$DATA" 2>/dev/null
}

# Becomes a program of PostgreSQL under the right account: called in a subshell, whose output is redirected
# inside it, so that an interrupt speaks where the user listens. These programs are short and waited for:
# a killed pg_ctl would leave a server that is not known yet.
become_postgres() {
  local log="$1" program="$2"
  shift 2
  cd "$DATA" || exit 1
  exec "${POSTGRES_AS[@]}" "$POSTGRES_HOME/bin/$program" "$@" >>"$log" 2>&1 9>&-
}

# A cluster appears whole (initdb, role, database) or not at all.
create_cluster() {
  local cluster="$DATA/postgres/data" log="$DATA/postgres/initdb.log" password="$DATA/postgres/.superuser"
  say "creating the database"
  mkdir -p "$DATA/postgres"
  rm -rf "$cluster.new"
  mkdir "$cluster.new"
  ensure_secret "$DATA/secrets/database-superuser.password"
  ensure_secret "$DATA/secrets/database.password"
  cp "$DATA/secrets/database-superuser.password" "$password"
  # Only where root hands the directory to nobody; elsewhere this changes nothing.
  chown --reference="$DATA/postgres" "$cluster.new" "$password"
  # The built-in C.UTF-8 sorts alike on every machine, whatever its C library.
  : >"$log"
  (become_postgres "$log" initdb -D "$cluster.new" -U postgres --pwfile="$password" --auth=scram-sha-256 \
    --encoding=UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8) ||
    { rm -f "$password"; die "initdb failed: $(last_words "$log")"; }
  rm -f "$password"
  create_role "$cluster.new" "$log" || die "cannot create the role sluice: $(last_words "$log")"
  mv -T "$cluster.new" "$cluster"
}

# Single-user mode needs no password, no port and no client program; one statement a line.
create_role() {
  local password
  password="$(cat "$DATA/secrets/database.password")"
  (become_postgres "$2" postgres --single -D "$1" -c log_min_error_statement=panic postgres) <<SQL
CREATE ROLE sluice LOGIN PASSWORD '$password';
CREATE DATABASE sluice OWNER sluice;
SQL
  # Single-user mode exits 0 whatever its statements did; the database's directory shows whether they succeeded.
  [ "$(find "$1/base" -mindepth 1 -maxdepth 1 -type d -name '[0-9]*' | wc -l)" -eq 4 ]
}

# After a crash the pid in postmaster.pid may be another program's, and PostgreSQL would not start.
# Removed only when no process at all works in the cluster: a surviving backend still owns it.
clear_stale_postmaster() {
  local cluster="$DATA/postgres/data" deadline=$((SECONDS + POSTGRES_STOP_SECONDS)) directory
  [ -e "$cluster/postmaster.pid" ] || return 0
  for directory in /proc/[0-9]*; do
    while works_in_cluster "${directory#/proc/}"; do
      ((SECONDS < deadline)) || die "a process of a former PostgreSQL still works in $cluster (pid ${directory#/proc/})"
      sleep 0.1
    done
  done
  rm -f "$cluster/postmaster.pid"
}

start_postgres() {
  local cluster="$DATA/postgres/data" log="$DATA/postgres/server.log" port nodes="${OPTION[nodes]}"
  port="$(choose_postgres_port)"
  # Room for the nodes of a later, larger `up` on the running server.
  ((nodes >= 8)) || nodes=8
  [ ! -s "$log" ] || mv -f "$log" "$log.1"
  say "starting PostgreSQL on 127.0.0.1:$port"
  POSTGRES_STARTED=yes
  # An idle trial's server should not wake: each commit writes its own log, and dirty pages wait for a checkpoint.
  # Durable: fsync and synchronous_commit are never off. No socket: its directory's path has a length limit.
  (become_postgres "$DATA/postgres/start.log" pg_ctl -D "$cluster" -l "$log" -w -t "$POSTGRES_START_SECONDS" -s \
    -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=on -c synchronous_commit=on" \
    -o "-c checkpoint_timeout=15min -c wal_writer_delay=10s" \
    -o "-c max_connections=$((nodes * CONNECTIONS_PER_NODE + 20)) -c max_locks_per_transaction=256 -c jit=off -c log_min_error_statement=panic" \
    start </dev/null) || die "PostgreSQL did not start: $(last_words "$log") (log $log)"
}

# Chosen once and remembered, below the range of outgoing connections; chosen again only if another process took it.
choose_postgres_port() {
  local port tries
  port="$(cat "$DATA/postgres.port" 2>/dev/null || true)"
  for ((tries = 0; tries < 50; tries++)); do
    if [[ "$port" =~ ^[0-9]+$ ]] && ! port_is_busy "$port"; then
      printf '%s\n' "$port" >"$DATA/postgres.port"
      printf '%s' "$port"
      return 0
    fi
    port=$((20000 + RANDOM % 12000))
  done
  die "no free port for PostgreSQL from 20000 to 31999"
}

# Fast shutdown, then immediate, then SIGKILL: each wait is bounded, and PostgreSQL recovers from all three.
stop_postgres() {
  local pid signal
  pid="$(postgres_pid)"
  [ -n "$pid" ] || return 0
  for signal in INT QUIT KILL; do
    kill -s "$signal" "$pid" 2>/dev/null || true
    ! await_end "$POSTGRES_STOP_SECONDS" "$pid" || return 0
  done
  die "PostgreSQL (pid $pid) does not end"
}
