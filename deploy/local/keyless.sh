# shellcheck shell=bash
# `load keyless`: the signing plane alone, without HTTP and database, compared with a loop in C on the same tokens.
# docs/performance/SPEED.md has what came of it.

readonly KEYLESS_SECONDS=4
readonly KEYLESS_ROUNDS=3

load_keyless() {
  parse_options 'out seconds rounds' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "load keyless takes no argument: '${ARGUMENTS[0]}'"
  OPTION[seconds]="${OPTION[seconds]:-$KEYLESS_SECONDS}"
  OPTION[rounds]="${OPTION[rounds]:-$KEYLESS_ROUNDS}"
  require_number seconds 1 60
  require_number rounds 1 20
  OPTION[out]="$(absolute_path "${OPTION[out]:-$SLUICE_ROOT/var/load/keyless-$(date -u +%Y%m%dT%H%M%SZ)}")"
  prerequisites_to_run
  require_tools gcc:gcc make:make softhsm2-util:softhsm2
  require_nethsm_header
  make_work_directory
  BENCH_WORK="$(mktemp -d)"
  trap bench_end EXIT
  trap end_long INT TERM
  gcc -O2 -D_GNU_SOURCE -isystem /usr/include/p11-kit-1 -o "$BENCH_WORK/bare_token" \
    "$SLUICE_ROOT/hsm-adapter/src/test/c/bare_token.c" -ldl -lpthread || die "the loop in C does not compile"
  maven "$WORK/keyless.log" -q -Dspotless.check.skip=true -pl hsm-adapter test-compile dependency:build-classpath \
    "-Dmdep.outputFile=$WORK/keyless.classpath" -Dmdep.includeScope=test ||
    die "the benchmark does not build: $(last_words "$WORK/keyless.log") (log $WORK/keyless.log)"
  # It makes its tokens itself, in the folder of this file.
  export SOFTHSM2_CONF="$BENCH_WORK/softhsm/softhsm2.conf"
  mkdir "$BENCH_WORK/devices"
  say "results will be in ${OPTION[out]}"
  # Its working folder is that of its module, from which it finds the simulated HSM's sources.
  run_long - env --chdir="$SLUICE_ROOT/hsm-adapter" timeout "$(keyless_limit)" "$JAVA_HOME/bin/java" \
    "-Djava.io.tmpdir=$BENCH_WORK" -Dslf4j.internal.verbosity=ERROR --enable-native-access=ALL-UNNAMED \
    --add-exports=jdk.crypto.cryptoki/sun.security.pkcs11.wrapper=ALL-UNNAMED \
    --add-opens=jdk.crypto.cryptoki/sun.security.pkcs11.wrapper=ALL-UNNAMED \
    -cp "$SLUICE_ROOT/hsm-adapter/target/test-classes:$SLUICE_ROOT/hsm-adapter/target/classes:$(cat "$WORK/keyless.classpath")" \
    org.sluiceca.hsm.bench.keyless.KeylessBench "$BENCH_WORK/bare_token" "$BENCH_WORK/devices" "${OPTION[out]}" \
    "${OPTION[seconds]}" "${OPTION[rounds]}" "$(checkout_commit)"
}

# Six kinds of keys by four crews by two ways in each round, and some thirty measurements more; twice that.
keyless_limit() { printf '%s' $((600 + 2 * (48 * OPTION[rounds] + 30) * (OPTION[seconds] + 4))); }

# What a result was measured at.
checkout_commit() { git -C "$SLUICE_ROOT" describe --always --dirty --abbrev=7 2>/dev/null || printf unknown; }
