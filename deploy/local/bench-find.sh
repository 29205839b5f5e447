# shellcheck shell=bash
# `bench find`: how long a page of a search takes among many certificates, over HTTPS, of one node on this machine.

readonly BENCH_FIND_ENTRIES=1000000
readonly BENCH_FIND_WARM_UP_SECONDS=10
# Distinct searches of each kind.
readonly BENCH_FIND_PATHS=2000

bench_find() {
  parse_options 'data entries seconds warm-up connections node-heap' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "bench find takes no argument: '${ARGUMENTS[0]}'"
  OPTION[entries]="${OPTION[entries]:-$BENCH_FIND_ENTRIES}"
  [[ "${OPTION[entries]}" =~ ^[1-9][0-9]{3,7}$ ]] || bad_usage "--entries is a number from 1000 to 99999999, not '${OPTION[entries]}'"
  OPTION[warm-up]="${OPTION[warm-up]:-$BENCH_FIND_WARM_UP_SECONDS}"
  # Two searches run at once on a node.
  OPTION[connections]="${OPTION[connections]:-2}"
  bench_defaults
  prerequisites_to_run
  require_tools wrk:wrk curl:curl
  build
  BENCH_WORK="$(mktemp -d)"
  trap bench_end EXIT
  [ -n "${CHOSEN[data]:-}" ] || bench_trial
  use_data
  bench_find_fill
  bench_find_paths
  bench_find_run
  bench_find_plans
}

# A trial of the user's own is filled once: ten million take some twenty minutes, and are measured more than once.
bench_find_fill() {
  local filled
  [ -n "$(living_nodes)" ] || die "no node of $DATA runs here: ./sluice up --data $DATA"
  filled="$(cat "$DATA/find-corpus" 2>/dev/null || true)"
  if [ -n "$filled" ]; then
    [ "$filled" = "${OPTION[entries]}" ] || die "$DATA is filled with $filled certificates: --entries $filled"
    return
  fi
  say "filling the index with ${OPTION[entries]} certificates"
  "$JAVA_HOME/bin/java" -cp "$(echo "$DIST"/lib/postgresql-*.jar)" \
    "$SLUICE_ROOT/loadtest/src/main/java/org/sluiceca/load/FindCorpus.java" \
    "jdbc:postgresql://127.0.0.1:$(cat "$DATA/postgres.port")/sluice" sluice "$DATA/secrets/database.password" \
    "${OPTION[entries]}" || die "the index cannot be filled"
  printf '%s\n' "${OPTION[entries]}" >"$DATA/find-corpus"
}

# One file of paths a kind; the numbers follow FindCorpus.
bench_find_paths() {
  awk -v count="$BENCH_FIND_PATHS" -v entries="${OPTION[entries]}" -v folder="$BENCH_WORK" \
    -v now="$(date +%s)" 'BEGIN {
      srand(20261122)
      for (i = 0; i < count; i++) {
        n = int(rand() * entries)
        host = "host-" n ".r" n % 1000 ".example.com"
        week = strftime("%Y-%m-%dT00:00:00Z", now + int(rand() * 19) * 604800, 1)
        after = strftime("%Y-%m-%dT00:00:00Z", now - int(rand() * 300) * 86400, 1)
        print "/v1/certificates?san=www." host >(folder "/san")
        print "/v1/certificates?subject=" host >(folder "/subject")
        print "/v1/certificates?san=www.host-" int(n / 100) "*" >(folder "/prefix")
        print "/v1/certificates?requester=r" n % 1000 >(folder "/requester")
        print "/v1/certificates?requester=r" n % 1000 "&san=www.host-" int(n / 100) "*" >(folder "/own-prefix")
        print "/v1/certificates?profile=bench-" n % 5 "&status=valid" >(folder "/profile-valid")
        print "/v1/certificates?status=revoked&profile=bench-" n % 5 >(folder "/revoked")
        print "/v1/certificates?issuedBefore=" after >(folder "/issued")
        print "/v1/certificates?expiresAfter=" week "&status=valid&limit=200" >(folder "/expires")
        # Nothing matches: a page looks at all it may.
        print "/v1/certificates?issuer=unknown&issuedBefore=" after >(folder "/nothing")
      }
    }'
}

readonly BENCH_FIND_KINDS='san subject prefix requester own-prefix profile-valid revoked issued expires nothing'

bench_find_run() {
  local kind connections
  printf '%s, %s cores, %s; load average before: %s\n' "$(sed -n 's/^model name.*: //p;T;q' /proc/cpuinfo)" \
    "$(nproc)" "$(jdk_version | sed 's/^/JDK /')" "$(cut -d' ' -f1-3 /proc/loadavg)"
  printf '%s certificates in 60 weeks; closed loop by wrk over kept HTTPS connections, %s distinct searches of each kind at random;\n' \
    "${OPTION[entries]}" "$BENCH_FIND_PATHS"
  printf '%s s warm-up, %s s each; client, node and database on these cores\n\n' "${OPTION[warm-up]}" "${OPTION[seconds]}"
  printf '%-18s %9s %8s %8s %8s %9s\n' 'kind, connections' 'pages/s' 'p50 ms' 'p99 ms' 'max ms' 'not 200'
  for connections in ${OPTION[connections]//,/ }; do
    for kind in $BENCH_FIND_KINDS; do
      bench_find_load "$connections" "${OPTION[warm-up]}" "$kind"
      bench_find_load "$connections" "${OPTION[seconds]}" "$kind"
      printf '%s %s %s\n' "$kind" "$connections" "${RESULT[*]}" | awk '{
        printf "%-15s %2d %9.0f %8.1f %8.1f %8.1f %9d\n", $1, $2, $4 / $3, $7, $8, $9, $5 + $6 }'
    done
  done
}

# bench_find_load CONNECTIONS SECONDS KIND: sets RESULT (see get.lua).
bench_find_load() {
  export SLUICE_BENCH_RESULT="$BENCH_WORK/result"
  rm -f "$SLUICE_BENCH_RESULT"
  (($2 > 0)) || return 0
  wrk -t 1 -c "$1" -d "$2s" --timeout 30s -s "$SLUICE_ROOT/loadtest/bench/get.lua" "https://localhost:$(run_value port)" -- \
    "$BENCH_WORK/$3" "$DATA/admin.token" >"$BENCH_WORK/wrk.log" 2>&1 || die "wrk failed: $(last_words "$BENCH_WORK/wrk.log")"
  read -r -a RESULT <"$SLUICE_BENCH_RESULT" || die "wrk left no result: $(last_words "$BENCH_WORK/wrk.log")"
}

# How PostgreSQL finds one page of each kind, by its own word (auto_explain), on a trial that is restarted for it, since it
# slows all connections, and once more after, as it was.
bench_find_plans() {
  local kind path from port log="$DATA/postgres/server.log"
  BENCH_FIND_SETTINGS="$DATA/postgres/data/postgresql.auto.conf"
  BENCH_FIND_UP=(--nodes "$(run_value nodes)")
  for kind in $RUN_KEYS; do
    [ -z "$(run_value "$kind")" ] || BENCH_FIND_UP+=("--$kind" "$(run_value "$kind")")
  done
  port="$(run_value port)"
  cp -p "$BENCH_FIND_SETTINGS" "$BENCH_FIND_SETTINGS.bench"
  trap 'bench_find_restore; bench_end' EXIT
  cat >>"$BENCH_FIND_SETTINGS" <<'CONF'
session_preload_libraries = 'auto_explain'
auto_explain.log_min_duration = 0
auto_explain.log_analyze = on
auto_explain.log_buffers = on
auto_explain.log_timing = off
CONF
  bench_find_restart || die "no trial: $(last_words "$BENCH_WORK/up.log")"
  for kind in $BENCH_FIND_KINDS; do
    # The second one of a kind: what the first one had to read is in memory.
    for path in $(sed -n '1p;2p' "$BENCH_WORK/$kind"); do
      from=$(($(wc -c <"$log") + 1))
      # No token appears on a command line.
      printf 'header = "Authorization: Bearer %s"\n' "$(cat "$DATA/admin.token")" |
        curl -s --config - --max-time 60 --cacert "$DATA/root.pem" "https://localhost:$port$path" -o /dev/null || die "no page of $path"
    done
    printf '\n%s: GET %s\n' "$kind" "$path"
    tail -c "+$from" "$log" | bench_find_plan
  done
}

# Whatever ended it: the next start of the user's trial must not be slower.
bench_find_restore() {
  [ -e "$BENCH_FIND_SETTINGS.bench" ] || return 0
  mv -f "$BENCH_FIND_SETTINGS.bench" "$BENCH_FIND_SETTINGS"
  [ -n "${BENCH_OWN:-}" ] || bench_find_restart || say "warning: the trial does not start again: $(last_words "$BENCH_WORK/up.log")"
}

bench_find_restart() {
  "$SLUICE_ROOT/sluice" down --data "$DATA" >/dev/null 2>"$BENCH_WORK/up.log" &&
    "$SLUICE_ROOT/sluice" up --detach --data "$DATA" "${BENCH_FIND_UP[@]}" >/dev/null 2>"$BENCH_WORK/up.log"
}

# The statements about the index among what else a node asks, without their text; of partitions that are looked into
# alike only the first.
bench_find_plan() {
  awk '
    function show() {
      if (block ~ /certificate_(index|name)_w/) printf "%s%s", block, left ? "  (" left " more partitions alike)\n" : ""
      block = ""
      left = 0
      skip = 0
      delete seen
    }
    /plan:$/ { show(); inside = 1; text = 1; next }
    /^[^\t]/ { if (inside) show(); inside = 0 }
    # The plan begins at the first line that contains a cost.
    inside && text && /\(cost=/ { text = 0 }
    !inside || text { next }
    {
      match($0, /[^ \t]/)
      if (skip && RSTART > skip) next
      skip = 0
      kind = $0
      gsub(/_w[0-9]+/, "_w", kind)
      sub(/ [a-z]+_[0-9]+ +\(.*/, "", kind)
      if ($0 ~ /->.*_w[0-9]+/ && seen[kind]++) { skip = RSTART; left++; next }
      line = $0
      sub(/^\t/, "  ", line)
      block = block line "\n"
    }
    END { show() }'
}
