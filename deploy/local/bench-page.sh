# shellcheck shell=bash
# What a benchmark writes down of each load (BENCH_RECORD), and the page that is made of it.

readonly BENCH_RESULTS="$SLUICE_ROOT/loadtest/results"
# Two batches at a time are the most that a requester may have.
readonly BENCH_BATCHES=2
readonly BENCH_BATCH_LINES_MAX=100000
readonly BENCH_BARE_SECONDS=5

# bench_fact NAME VALUE: a line of the page; neither may hold a tab.
bench_fact() { printf 'fact\t%s\t%s\n' "$1" "$(tr '\t\n' '  ' <<<"${2:-?}" | sed 's/ *$//')" >>"$BENCH_RECORD"; }

# bench_facts TITLE WHAT: begins the record with what figures are worth nothing without.
bench_facts() {
  BENCH_RECORD="$BENCH_WORK/record"
  BARE_TOKEN=''
  HERTZ="$(getconf CLK_TCK)"
  : >"$BENCH_RECORD"
  bench_fact title "$1"
  bench_fact what "$2"
  bench_fact 'at' "$(date -u +%Y-%m-%dT%H:%MZ)"
  bench_fact commit "$(bench_commit)"
  bench_fact 'distinct requests' "${OPTION[requests]}"
  bench_fact 'warm-up s' "${OPTION[warm-up]}"
  bench_fact processors "$(nproc) of $(sed -n 's/^model name.*: //p;T;q' /proc/cpuinfo)"
  bench_fact memory "$(awk '/^MemTotal/ { printf "%.1f GiB", $2 / 1048576 }' /proc/meminfo)"
  bench_fact system "$(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release), Linux $(uname -r)"
  bench_fact software "JDK $(jdk_version), SoftHSM $(softhsm2-util --version), $(openssl version | cut -d' ' -f1,2)$(bench_wrk_version)"
  bench_fact 'load average before' "$(cut -d' ' -f1-3 /proc/loadavg)"
  bench_fact 'one core, OpenSSL, P-256 signatures and verifications/s' \
    "$(openssl speed -seconds 1 ecdsap256 2>/dev/null | awk '/nistp256/ {print $(NF-1), $NF}')"
}

# Some benchmarks do not need wrk, so it may not be installed.
bench_wrk_version() { ! command -v wrk >/dev/null || wrk --version 2>&1 | awk 'NR == 1 { printf ", %s %s", $1, $2 }'; }

bench_commit() {
  local commit
  commit="$(git -C "$SLUICE_ROOT" rev-parse --short HEAD 2>/dev/null)" || { printf '?'; return; }
  [ -z "$(git -C "$SLUICE_ROOT" status --porcelain --untracked-files=no 2>/dev/null)" ] || commit+=' with changes'
  printf '%s' "$commit"
}

bench_what() {
  printf 'Closed loop by wrk over kept HTTPS connections, JSON in and out, %s distinct P-256 requests in turn, profile tls-server, issuer %s in SoftHSM, PostgreSQL with fsync; %s s warm-up, %s s each; client, node (heap %s), token and database on the same cores.' \
    "${OPTION[requests]}" "${OPTION[issuer-key]}" "${OPTION[warm-up]}" "${OPTION[seconds]}" "$(run_value node-heap)"
}

# --- What a load costs ---------------------------------------------------------------------------------

# Busy and all ticks of all processors since the start: user to steal; idle and waiting are the fourth and fifth.
machine_ticks() { awk '$1 == "cpu" { for (i = 2; i <= 9; i++) all += $i; print all - $5 - $6, all; exit }' /proc/stat; }

# Octets that the node has allocated on its heap, as its garbage collector counts them; nothing for several nodes.
node_allocated() {
  [ "$(living_nodes | wc -l)" -eq 1 ] || return 0
  curl -s --noproxy '*' --max-time 10 "http://127.0.0.1:$(run_value management-port)/actuator/prometheus" |
    awk '/^jvm_gc_memory_allocated_bytes_total/ { printf "%.0f", $2 }'
}

# The most memory that the node had resident, in KiB.
node_resident() { process_resident "$(node_pid "$(living_nodes | head -n 1)")"; }

process_resident() { awk '/^VmHWM/ { print $2; found = 1 } END { if (!found) print 0 }' "/proc/$1/status" 2>/dev/null || printf 0; }

# Another CA than the nodes of DATA is named by CA_PID; Go's own profile of its heap, if it has one, is on CA_PROFILE_PORT.
ca_ticks() { if [ -n "${CA_PID:-}" ]; then process_ticks "$CA_PID"; else node_ticks; fi; }
ca_resident() { if [ -n "${CA_PID:-}" ]; then process_resident "$CA_PID"; else node_resident; fi; }
ca_allocated() {
  if [ -z "${CA_PID:-}" ]; then
    node_allocated
  elif [ -n "${CA_PROFILE_PORT:-}" ]; then
    curl -s --noproxy '*' --max-time 10 "http://127.0.0.1:$CA_PROFILE_PORT/debug/pprof/heap?debug=1" | awk '/^# TotalAlloc = / { print $4 }'
  fi
}

bench_costs_begin() {
  ALLOCATED="$(ca_allocated)"
  COSTS_BEFORE="$(ca_ticks) $(database_ticks) $(machine_ticks)"
}

# Sets NODE_TICKS, DATABASE_TICKS, BUSY_TICKS, ALL_TICKS, ALLOCATED and RESIDENT: what has been used since the begin.
bench_costs_end() {
  local before after allocated
  read -r -a after <<<"$(ca_ticks) $(database_ticks) $(machine_ticks)"
  read -r -a before <<<"$COSTS_BEFORE"
  NODE_TICKS=$((after[0] - before[0]))
  DATABASE_TICKS=$((after[1] - before[1]))
  BUSY_TICKS=$((after[2] - before[2]))
  ALL_TICKS=$((after[3] - before[3]))
  allocated="$(ca_allocated)"
  bench_allocated "$allocated"
  RESIDENT="$(ca_resident)"
}

# bench_allocated NOW: sets ALLOCATED to what came since, or to unknown.
bench_allocated() {
  if [ -n "$1" ] && [ -n "$ALLOCATED" ]; then
    ALLOCATED="$(awk -v now="$1" -v before="$ALLOCATED" 'BEGIN { printf "%.0f", now - before }')"
  else
    ALLOCATED=unknown
  fi
}

# bench_record PRODUCT CONFIGURATION LOAD ROUND: the load that has just ended; round 0 is the warm-up.
bench_record() {
  local unit=$((1000000 / HERTZ))
  printf 'run\tproduct=%s\tconfiguration=%s\tload=%s\tround=%s\tseconds=%s\tissued=%s\tother=%s\terrors=%s\tp50=%s\tp99=%s\tmax=%s\tsent=%s' \
    "$1" "$2" "$3" "$4" "${RESULT[@]:0:8}" >>"$BENCH_RECORD"
  printf '\tcaMicros=%s\tdatabaseMicros=%s\tclientMicros=%s\tbusyMicros=%s\tallMicros=%s\tallocatedBytes=%s\tresidentKib=%s\tloadAverage=%s\n' \
    $((NODE_TICKS * unit)) $((DATABASE_TICKS * unit)) $((CLIENT_TICKS * unit)) $((BUSY_TICKS * unit)) $((ALL_TICKS * unit)) \
    "$ALLOCATED" "$RESIDENT" "$(cut -d' ' -f1 /proc/loadavg)" >>"$BENCH_RECORD"
}

# --- Batches -------------------------------------------------------------------------------------------

# Two batches at a time by curl, which reads results while it sends; first a short pair, which determines how long the measured
# one may be. A batch is measured from its first line to its last result.
bench_batches() {
  local lines
  [ "${OPTION[issuer-key]}" = ec-p256 ] || return 0
  bench_batch "$1" 2000 warm
  bench_record sluice "${OPTION[issuer-key]}" "batch $BENCH_BATCHES" 0
  lines="$(awk -v seconds="${RESULT[0]}" -v issued="${RESULT[1]}" -v wanted="${OPTION[seconds]}" -v batches="$BENCH_BATCHES" \
    -v most="$BENCH_BATCH_LINES_MAX" 'BEGIN { n = int(issued / seconds * wanted / batches); print (n < 1000 ? 1000 : n > most ? most : n) }')"
  bench_batch "$1" "$lines" measured
  bench_line "batches, $BENCH_BATCHES"
  bench_record sluice "${OPTION[issuer-key]}" "batch $BENCH_BATCHES" 1
}

# bench_batch CORPUS LINES NAME: sets RESULT and what it took; the sender of lines does not learn how long each waited.
bench_batch() {
  local i began ended client failed=0 jobs=() issued answered
  for ((i = 0; i < BENCH_BATCHES; i++)); do
    awk -v count="$2" -v from=$((i * $2)) '{ csr[NR - 1] = $0 } END {
      for (i = from; i < from + count; i++) printf "{\"id\":\"%d\",\"profile\":\"tls-server\",\"csr\":\"%s\"}\n", i, csr[i % NR] }' \
      "$1.csrs" >"$BENCH_WORK/batch.$i"
    # No token appears on a command line.
    printf '%s\n' "url = \"https://localhost:$PORT/v1/certificates:batch\"" "cacert = \"$DATA/root.pem\"" silent \
      "header = \"Authorization: Bearer $(head -n 1 "$DATA/enroll.token")\"" 'header = "Content-Type: application/x-ndjson"' \
      'header = "Expect:"' "data-binary = \"@$BENCH_WORK/batch.$i\"" "output = \"$BENCH_WORK/batch.$i.out\"" 'max-time = 600' 'noproxy = "*"' \
      >"$BENCH_WORK/batch.$i.curl"
  done
  sync "$BENCH_WORK"/batch.[0-9]
  client="$(children_ticks)"
  bench_costs_begin
  began="$(date +%s%N)"
  for ((i = 0; i < BENCH_BATCHES; i++)); do
    curl --config "$BENCH_WORK/batch.$i.curl" </dev/null &
    jobs+=("$!")
  done
  for i in "${jobs[@]}"; do
    wait "$i" || failed=$((failed + 1))
  done
  ended="$(date +%s%N)"
  CLIENT_TICKS=$(($(children_ticks) - client))
  bench_costs_end
  answered="$(cat "$BENCH_WORK"/batch.*.out | wc -l)"
  issued="$(cat "$BENCH_WORK"/batch.*.out | grep -c '"status":201' || true)"
  RESULT=("$(awk -v from="$began" -v to="$ended" 'BEGIN { printf "%.3f", (to - from) / 1e9 }')" "$issued" $((answered - issued)) "$failed" \
    unknown unknown unknown $(($2 * BENCH_BATCHES)))
  rm -f "$BENCH_WORK"/batch.*
  ((issued > 0)) || die "the batches ($3) issued nothing: see $DATA/node-0.log"
}

# --- The bare token ------------------------------------------------------------------------------------

# A SoftHSM token of its own, as the trial's is made, and a loop in C.
bench_make_bare_token() {
  local pin=57320648
  require_tools make:make gcc:gcc
  require_nethsm_header
  make_work_directory
  make -s -C "$SLUICE_ROOT/loadtest/nethsm" >"$WORK/make.log" 2>&1 || die "the C loop does not build: $(last_words "$WORK/make.log")"
  BARE=(env "SOFTHSM2_CONF=$BENCH_WORK/bare.conf" "CALLER_PIN=$pin" "CALLER_LOCK=$BENCH_WORK/bare.lock"
    "CALLER_MODULE=$(find_softhsm)" "$SLUICE_ROOT/loadtest/nethsm/target/caller") || missing_prerequisite "libsofthsm2.so not found: install the package softhsm2"
  mkdir "$BENCH_WORK/bare"
  printf 'directories.tokendir = %s\nobjectstore.backend = file\nlog.level = ERROR\nslots.removable = false\n' "$BENCH_WORK/bare" >"$BENCH_WORK/bare.conf"
  # A PIN that guards nothing: the token is gone with the folder.
  SOFTHSM2_CONF="$BENCH_WORK/bare.conf" softhsm2-util --init-token --free --label bare --pin "$pin" --so-pin "$pin" >/dev/null || die 'no token'
  "${BARE[@]}" keys >/dev/null || die 'the C loop makes no keys'
}

# RSA-2048 signatures a second on all cores, two sessions a core; every sixteenth is verified. Once before and once after the
# node, in BARE_TOKEN their mean.
bench_bare_token() {
  local from to made rate
  [ -n "${BARE[*]:-}" ] || return 0
  from=$(($("${BARE[@]}" clock) + 1000000000))
  to=$((from + BENCH_BARE_SECONDS * 1000000000))
  made="$(timeout $((BENCH_BARE_SECONDS + 30)) "${BARE[@]}" load rsa $((2 * $(nproc))) "$from" "$to")" || die "the C loop failed: $made"
  [[ "$made" =~ window=([0-9]+) ]] || die "the C loop failed: $made"
  rate=$((BASH_REMATCH[1] / BENCH_BARE_SECONDS))
  say "the bare token: $rate RSA-2048 signatures/s on all cores"
  BARE_TOKEN=$((BARE_TOKEN == 0 ? rate : (BARE_TOKEN + rate) / 2))
}

# --- The store and the page ----------------------------------------------------------------------------

# What the trial's ledger holds: sets STORED and DURABILITY, and leaves a serial number in BENCH_WORK/one.
bench_stored() {
  if [ -n "${OPTION[database-url]}" ]; then
    stored_certificates "${OPTION[database-url]}" "${OPTION[database-user]}" "${OPTION[database-password-file]}" LEDGER
  else
    stored_certificates "jdbc:postgresql://127.0.0.1:$(cat "$DATA/postgres.port")/sluice" sluice "$DATA/secrets/database.password" LEDGER
  fi
}

# stored_certificates URL USER PASSWORD-FILE STORE
stored_certificates() {
  bench_java StoredCertificates count "$@" "$BENCH_WORK/one" >"$BENCH_WORK/stored" 2>"$BENCH_WORK/stored.log" ||
    die "the certificates cannot be counted: $(last_words "$BENCH_WORK/stored.log")"
  STORED="$(sed -n 1p "$BENCH_WORK/stored")"
  DURABILITY="$(sed -n 2p "$BENCH_WORK/stored")"
}

bench_java() {
  "$JAVA_HOME/bin/java" -Dstdout.encoding=UTF-8 -cp "$SLUICE_ROOT/loadtest/target/classes:$DIST/lib/*" "org.sluiceca.load.bench.$1" "${@:2}"
}

# One certificate of ours up to the root, by a foreign program: sets VERIFIED.
bench_verify() {
  "$SLUICE_ROOT/sluice" get --data "$DATA" "$(cat "$BENCH_WORK/one")" >"$BENCH_WORK/one.pem" 2>"$BENCH_WORK/get.log" ||
    die "no certificate of its serial number: $(last_words "$BENCH_WORK/get.log")"
  openssl_verify "$DATA/root.pem" "$DATA/chain.pem" "$BENCH_WORK/one.pem"
}

# openssl_verify ROOT CHAIN CERTIFICATE: sets VERIFIED.
openssl_verify() {
  local said
  VERIFIED=ok
  said="$(openssl verify -CAfile "$1" -untrusted "$2" "$3" 2>&1)" || VERIFIED="$(tail -n 1 <<<"$said" | tr '\t' ' ')"
}

# bench_record_store PRODUCT CONFIGURATION: of STORED_BEFORE, STORED, VERIFIED and DURABILITY.
bench_record_store() {
  printf 'store\tproduct=%s\tconfiguration=%s\tbefore=%s\tafter=%s\tverified=%s\tdurability=%s\n' \
    "$1" "$2" "$STORED_BEFORE" "$STORED" "$VERIFIED" "$DURABILITY" >>"$BENCH_RECORD"
}

# bench_page NAME [PROGRAM]: the page goes to --out, else to loadtest/results/<date>-NAME, and replaces one that is there.
bench_page() {
  local out="${OPTION[out]:-$BENCH_RESULTS/$(date -u +%Y-%m-%d)-$1}" status=0
  printf '\n'
  # The user's own file mode: a page holds no secret.
  (umask 022 && bench_java "${2:-BenchPage}" "$BENCH_RECORD" "$out") || status=$?
  [ "$status" -ne 2 ] || die "the page was not made"
  say "page: $out/SUMMARY.md"
  [ "$status" -eq 0 ] || die "what was measured is not honest: see FAULT above"
}
