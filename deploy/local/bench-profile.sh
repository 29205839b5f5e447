# shellcheck shell=bash
# `--cpu-profile` of a benchmark: one load more, recorded by the node's JVM (jdk.CPUTimeSample of JEP 509, Linux alone).

readonly CPU_PROFILE_EVERY=5ms
# Servlets, filters and controllers make deep stacks; the outermost frames name the request.
readonly CPU_PROFILE_FRAMES=256

# bench_cpu_profile LOAD…: runs the load, which sets RESULT, and prints its CPU time by part and by request.
bench_cpu_profile() {
  local pid recording="$BENCH_WORK/cpu.jfr" log="$BENCH_WORK/profile.log" before after i micros=()
  pid="$(node_pid "$(living_nodes | head -n 1)")"
  {
    bench_jcmd "$pid" JFR.configure "stackdepth=$CPU_PROFILE_FRAMES" &&
      bench_jcmd "$pid" JFR.start name=bench settings=default 'jdk.CPUTimeSample#enabled=true' "jdk.CPUTimeSample#throttle=$CPU_PROFILE_EVERY"
  } >"$log" 2>&1 || die "the JVM of node $pid records nothing: $(last_words "$log")"
  read -r -a before <<<"$(thread_ticks "$pid")"
  "$@"
  read -r -a after <<<"$(thread_ticks "$pid")"
  bench_jcmd "$pid" JFR.stop name=bench "filename=$recording" >"$log" 2>&1 && [ -s "$recording" ] ||
    die "the JVM of node $pid wrote no recording: $(last_words "$log")"
  for i in 0 1 2; do
    micros[i]="$(awk -v ticks=$((after[i] - before[i])) -v hertz="$HERTZ" -v issued="${RESULT[1]}" 'BEGIN { printf "%.0f", ticks * 1e6 / hertz / issued }')"
  done
  printf '\nCPU of the node by %s samples, in microseconds a certificate; JIT compilers %s, garbage collection and the rest of the JVM %s\n\n' \
    "$CPU_PROFILE_EVERY" "${micros[1]}" "${micros[2]}"
  "$JAVA_HOME/bin/java" -Dstdout.encoding=UTF-8 -XX:+UseSerialGC -Xmx256m -cp "$SLUICE_ROOT/loadtest/target/classes" \
    org.sluiceca.load.profile.CpuProfile "$recording" "${micros[0]}" || die "the recording cannot be read"
}

bench_jcmd() { timeout 60 "$JAVA_HOME/bin/jcmd" "$@"; }

# thread_ticks PID: CPU time of its Java threads, its JIT compilers, and the JVM's other threads.
thread_ticks() {
  cat /proc/"$1"/task/*/stat 2>/dev/null | awk '{
    name = $0; sub(/^[0-9]+ \(/, "", name); sub(/\) [A-Z] .*/, "", name)
    rest = $0; sub(/^.*\) /, "", rest); split(rest, field, " ")
    kind = name ~ /^C[12] Compiler/ ? 1 : name ~ /^(VM |GC |G1 |Service Thread|Monitor Deflati)/ ? 2 : 0
    ticks[kind] += field[12] + field[13]
  } END { print ticks[0] + 0, ticks[1] + 0, ticks[2] + 0 }'
}
