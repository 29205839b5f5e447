# shellcheck shell=bash
# The nodes: one JVM each, in a session of its own, logging to DIR/node-<i>.log, which the node itself rotates
# (node-<i>.log.<date>.<number>.gz). What the JVM and a failed start print goes to DIR/node-<i>.out.

readonly NODE_START_SECONDS=180
# The service drains for at most 30 s.
readonly NODE_STOP_SECONDS=40

declare -a NODES_STARTED=()

# The same flags in training and use: with others the JVM drops the cache without a word.
# A small first heap grows only when it must, and what the JIT compiler used is given back: together some
# 20 MB less resident memory (docs/performance/FOOTPRINT.md). The young generation would be a third of the heap, and
# what connections keep must fit the rest (docs/performance/CONNECTIONS.md).
node_flags() {
  NODE_FLAGS=(-XX:+UseSerialGC "-Xmx${OPTION[node-heap]}" -Xms16m -XX:MaxNewSize=24m -XX:TrimNativeHeapInterval=10000 -XX:+ExitOnOutOfMemoryError)
}

# The mark that distinguishes a node of this DIR from any other process: process_is looks for it.
node_mark() { printf 'SLUICE_STATE_DIR=%s/node-%s' "$DATA" "$1"; }

# node_pid I: the pid of node I if it lives.
node_pid() {
  local pid
  pid="$(cat "$DATA/node-$1.pid" 2>/dev/null)" || return 0
  ! process_is "$pid" "$(node_mark "$1")" || printf '%s' "$pid"
}

# The numbers of all nodes that have a pid file, in order.
node_numbers() {
  local file
  for file in "$DATA"/node-*.pid; do
    [[ "$file" =~ /node-([0-9]+)\.pid$ ]] && printf '%s\n' "${BASH_REMATCH[1]}"
  done | sort -n
}

living_nodes() {
  local i
  for i in $(node_numbers); do
    [ -z "$(node_pid "$i")" ] || printf '%s\n' "$i"
  done
}

# Sets NODE_ENVIRONMENT: the whole configuration of node I. Secrets are named by file, never given.
node_environment() {
  local i="$1" name
  NODE_ENVIRONMENT=()
  # The launcher's own options would otherwise reach the service under names it reads differently.
  for name in $UP_OPTIONS; do
    NODE_ENVIRONMENT+=("--unset=$(env_name "$name")")
  done
  NODE_ENVIRONMENT+=(
    "MALLOC_ARENA_MAX=2"
    "SLUICE_NODE_NAME=node-$i"
    "$(node_mark "$i")"
    "SLUICE_PUBLIC_URL=${OPTION[public-url]}"
    "SLUICE_SERVICE_URL=${OPTION[service-url]}"
    "SERVER_PORT=$((OPTION[port] + i))"
    "SERVER_ADDRESS=${OPTION[bind]}"
    "SLUICE_HTTP_PORT=$((OPTION[http-port] + i))"
    "MANAGEMENT_SERVER_PORT=$((OPTION[management-port] + i))"
    "MANAGEMENT_SERVER_ADDRESS=${OPTION[management-address]}"
    "SLUICE_DATABASE_URL=$DATABASE_URL"
    "SLUICE_DATABASE_USER=$DATABASE_USER"
    "SLUICE_DATABASE_PASSWORD_FILE=$DATABASE_PASSWORD_FILE"
    # Nothing in front of a trial's nodes has to notice that one leaves.
    "SLUICE_LINE_LEAVE_NOTICE=${SLUICE_LINE_LEAVE_NOTICE:-0s}"
    "SLUICE_HSM_NODES_MAX=${SLUICE_HSM_NODES_MAX:-${OPTION[nodes]}}"
    "SLUICE_HSM_ISOLATED=$([ "${OPTION[hsm-isolated]}" = yes ] && echo true || echo false)"
    "SLUICE_ENDPOINTS=$DATA/endpoints"
    "SLUICE_SECRETS_FILE=$DATA/secrets.keys"
    "${TOKEN_ENVIRONMENT[@]}"
  )
  if [ -n "${OPTION[tokens-file]}" ]; then
    NODE_ENVIRONMENT+=("SLUICE_HSM_TOKENS_FILE=${OPTION[tokens-file]}")
  else
    NODE_ENVIRONMENT+=(
      "SLUICE_HSM_MODULE=$TOKEN_MODULE"
      "SLUICE_HSM_TOKEN_LABEL=$TOKEN_LABEL"
      "SLUICE_HSM_PIN_FILE=$TOKEN_PIN_FILE"
    )
  fi
}

# One after another: eight processes that log in to one SoftHSM at once fail in every third start.
start_nodes() {
  local i
  for ((i = 0; i < OPTION[nodes]; i++)); do
    if [ -z "$(node_pid "$i")" ]; then
      say "starting node $i"
      start_node "$i"
    fi
    await_node "$i"
  done
}

# node_last_words I: why node I ended: the error that its start printed, otherwise what it logged or printed last.
node_last_words() {
  local words=''
  ! grep -qE '^sluice: |ERROR|FATAL|[Ee]rror' "$DATA/node-$1.out" 2>/dev/null || words="$(last_words "$DATA/node-$1.out")"
  [ -n "$words" ] || words="$(last_words "$DATA/node-$1.log")"
  printf '%s' "${words:-$(last_words "$DATA/node-$1.out")}"
}

# A port that another program holds is better named here than found in a Java log.
# What a build of minutes must not be needed to find out: a checkout that cannot be built in, and an address that is not ours.
check_places() {
  [ -n "${SLUICE_DIST:-}" ] || make_work_directory
  address_is_ours "${OPTION[bind]}" ||
    die "--bind ${OPTION[bind]}: no network interface of this machine has this address; it has $(own_addresses | tr '\n' ' ')"
}

# The kernel's lists: no tool for addresses is on every machine. Without them the node finds out by itself.
own_addresses() {
  { cat /proc/net/fib_trie 2>/dev/null || true; } |
    awk '/\|--/ { address = $2 } /host LOCAL/ { print address }' | sort -u
  { cat /proc/net/if_inet6 2>/dev/null || true; } |
    awk '{ for (i = 1; i < 32; i += 4) printf "%s%s", substr($1, i, 4), i < 29 ? ":" : "\n" }' | sort -u
}

# address_is_ours ADDRESS: any address, loopback, or one of an interface.
address_is_ours() {
  [[ "$1" =~ ^(0\.0\.0\.0|127\.[0-9.]+|::|::1)$ ]] || [ ! -r /proc/net/fib_trie ] ||
    own_addresses | grep -qxF -- "$(long_address "$1")"
}

# long_address ADDRESS: an IPv6 address with its eight groups of four digits, as the kernel lists it; IPv4 as it is.
long_address() {
  awk -v text="${1,,}" 'BEGIN {
    if (text !~ /:/) { print text; exit }
    parts = split(text, half, "::")
    left = split(half[1], l, ":"); right = parts > 1 ? split(half[2], r, ":") : 0
    for (i = 1; i <= 8; i++) {
      group = i <= left ? l[i] : i > 8 - right ? r[i - 8 + right] : "0"
      out = out (i > 1 ? ":" : "") substr("0000" group, length(group) + 1)
    }
    print out }'
}

check_ports() {
  local i name port
  for ((i = 0; i < OPTION[nodes]; i++)); do
    [ -z "$(node_pid "$i")" ] || continue
    for name in port http-port management-port; do
      port=$((OPTION[$name] + i))
      ! port_is_busy "$port" || die "port $port is in use by another program (node $i, --$name)"
    done
  done
}

start_node() {
  local i="$1" log="$DATA/node-$1.log" cache=()
  node_flags
  node_environment "$i"
  if [ -n "${SLUICE_TRAINING:-}" ]; then
    cache=("-XX:AOTCacheOutput=$SLUICE_TRAINING")
  elif [ -s "$DIST/ca-api.aot" ]; then
    cache=("-XX:AOTCache=$DIST/ca-api.aot")
  fi
  mkdir -p "$DATA/node-$i"
  # This run and the last one.
  [ ! -s "$log" ] || mv -f "$log" "$log.1"
  : >"$log"
  # A session of its own: Ctrl-C at the terminal must reach the launcher alone, which ends nodes in order.
  env --chdir="$DATA/node-$i" "${NODE_ENVIRONMENT[@]}" "LOGGING_FILE_NAME=$log" LOGGING_THRESHOLD_CONSOLE=OFF setsid \
    "${SLUICE_NODE_JAVA:-$JAVA_HOME/bin/java}" "${NODE_FLAGS[@]}" "${cache[@]}" -jar "$DIST/ca-api.jar" >"$DATA/node-$i.out" 2>&1 </dev/null 9>&- &
  printf '%s\n' "$!" >"$DATA/node-$i.pid"
  NODES_STARTED+=("$i")
}

node_is_ready() {
  local answer
  # Cheaper than to start curl ten times a second while a JVM wants the processor.
  { true >"/dev/tcp/${OPTION[management-address]}/$((OPTION[management-port] + $1))"; } 2>/dev/null || return 1
  answer="$(curl -sf --noproxy '*' --max-time 2 \
    "http://$(url_host "${OPTION[management-address]}"):$((OPTION[management-port] + $1))/actuator/health/readiness" 2>/dev/null)" || return 1
  [[ "$answer" == *'"status":"UP"'* ]]
}

url_host() {
  case "$1" in
    *:*) printf '[%s]' "$1" ;;
    *) printf '%s' "$1" ;;
  esac
}

await_node() {
  local i="$1" pid deadline=$((SECONDS + NODE_START_SECONDS))
  pid="$(cat "$DATA/node-$i.pid")"
  until node_is_ready "$i"; do
    # The mark appears when the child has become Java; until then any living process is it.
    [ -n "$(process_state "$pid" | tr -d Z)" ] ||
      die "node $i ended while starting: $(node_last_words "$i") (log $DATA/node-$i.log)"
    ((SECONDS < deadline)) || die "node $i is not ready after $NODE_START_SECONDS s: $(node_last_words "$i") (log $DATA/node-$i.log)"
    sleep 0.1
  done
}

# stop_nodes I…: all drain at once; one that does not end in time is killed.
stop_nodes() {
  local i pid
  local -A pids=()
  for i in "$@"; do
    pid="$(node_pid "$i")"
    # A child that has not become Java yet carries no mark, but is surely ours.
    [ -n "$pid" ] || [[ " ${NODES_STARTED[*]} " != *" $i "* ]] || pid="$(cat "$DATA/node-$i.pid")"
    [ -z "$pid" ] || pids[$i]="$pid"
    [ -z "$pid" ] || kill -s TERM "$pid" 2>/dev/null || true
  done
  for i in "$@"; do
    pid="${pids[$i]:-}"
    # A node in training writes its cache when it ends.
    if [ -n "$pid" ] && ! await_end "$((NODE_STOP_SECONDS + ${SLUICE_TRAINING:+TRAINING_SECONDS} + 0))" "$pid"; then
      say "node $i did not drain in $NODE_STOP_SECONDS s: killed"
      kill -s KILL "$pid" 2>/dev/null || true
      await_end 5 "$pid" || say "node $i (pid $pid) does not end"
    fi
    rm -f "$DATA/node-$i.pid"
  done
}
