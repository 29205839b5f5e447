# shellcheck shell=bash
# From sources to a distribution: ca-api.jar next to lib/, rebuilt only when a source has changed.

# A ready-made distribution (an image, the launcher's own tests) is named by SLUICE_DIST and never built.
DIST="${SLUICE_DIST:-$SLUICE_ROOT/ca-api/target/dist}"
readonly DIST
readonly WORK="$SLUICE_ROOT/target/launcher"
readonly POSTGRES_ROOT="$SLUICE_ROOT/ca-api/target/postgres"

build() {
  if [ -n "${SLUICE_DIST:-}" ]; then
    [ -f "$DIST/ca-api.jar" ] || die "SLUICE_DIST holds no ca-api.jar: $DIST"
    return 0
  fi
  make_work_directory
  # Two launchers with different --data may share this checkout.
  exec 8<>"$WORK/build.lock"
  flock -w 900 8 || die "another build has held $WORK/build.lock for 15 minutes"
  build_dist
  exec 8>&-
}

make_work_directory() {
  (umask 022 && mkdir -p "$WORK" "$SLUICE_ROOT/ca-api/target") 2>/dev/null && [ -w "$WORK" ] ||
    die "cannot write to $SLUICE_ROOT/target, where the program is built: copy the checkout to a folder that $(id -un) may write to"
}

build_dist() {
  local hash
  hash="$(source_hash)"
  [ "$(cat "$DIST/.sources" 2>/dev/null)" != "$hash" ] || return 0
  say "building; a first build fetches its libraries and takes minutes (log $WORK/build.log)"
  show_progress "$WORK/build.log" 15 &
  local status=0 progress=$!
  # Formatting is the tests' matter, not the user's.
  maven "$WORK/build.log" -DskipTests -Dspotless.check.skip=true -pl ca-api,ca-api/client -am package || status=$?
  kill "$progress" 2>/dev/null || true
  wait "$progress" 2>/dev/null || true
  [ "$status" -eq 0 ] ||
    { grep -m 5 ERROR "$WORK/build.log" >&2 || true; die "the build failed: see $WORK/build.log"; }
  rm -rf "$DIST.new"
  (umask 022 && "$JAVA_HOME/bin/java" -Djarmode=tools -jar "$SLUICE_ROOT/ca-api/target/ca-api.jar" \
    extract --destination "$DIST.new" >>"$WORK/build.log" 2>&1) || die "cannot unpack the jar: see $WORK/build.log"
  unsign "$DIST.new"/lib/bcprov-*.jar
  unsign "$DIST.new"/lib/AmazonCorrettoCryptoProvider-*.jar
  cp "$SLUICE_ROOT/ca-api/client/target/sluice.jar" "$DIST.new/sluice.jar" || die "the build made no client"
  printf '%s\n' "$hash" >"$DIST.new/.sources"
  rm -rf "$DIST"
  mv "$DIST.new" "$DIST"
  client_cache
}

# The client's start-up cache, valid for this path of the jar; trained by a command that no service answers.
client_cache() {
  printf 'none\n' >"$DIST/.no-token"
  "$JAVA_HOME/bin/java" "${CLIENT_FLAGS[@]}" -XX:AOTCacheOutput="$DIST/sluice.aot" -jar "$DIST/sluice.jar" \
    get 2a --url https://127.0.0.1:1 --token-file "$DIST/.no-token" >>"$WORK/build.log" 2>&1 || true
  rm -f "$DIST/.no-token"
}

# show_progress LOG SECONDS: every SECONDS the step that Maven's log names last, until it is ended. It ends with the launcher.
show_progress() {
  local log="$1" period="$2" launcher=$$ seconds=0 step
  exec 8>&- 9>&- </dev/null >/dev/null
  trap 'exit 0' TERM INT
  while kill -0 "$launcher" 2>/dev/null; do
    sleep 1 &
    wait $! || true
    seconds=$((seconds + 1))
    ((seconds % period == 0)) || continue
    # "[INFO] --- compiler:3.14.0:compile (default-compile) @ ca-core ---"
    step="$(sed -nE 's/^\[INFO\] --- ([^:]+):[^:]*:([^ ]+).* @ ([^ ]+) ---$/\3: \1 \2/p' "$log" 2>/dev/null | tail -n 1)"
    say "building for $seconds s${step:+: $step}"
  done
}

# The JVM keeps classes of signed jars out of its start-up cache. The signature is for JCE providers in
# JDKs that demand one; here the provider is never registered, and Maven has checked the download. Order and dates of its
# entries are always the same, for packages that can be built again.
unsign() {
  local jar="$1" open="$1.open"
  mkdir "$open"
  (cd "$open" && "$JAVA_HOME/bin/jar" --extract --file "$jar" && rm -f META-INF/*.SF META-INF/*.RSA META-INF/*.DSA &&
    find . -type f -printf '%P\n' | sort >"$open.list" &&
    "$JAVA_HOME/bin/jar" --create --no-manifest --date 2026-01-01T00:00:00Z --file "$jar" "@$open.list") || die "cannot repack $jar"
  rm -rf "$open" "$open.list"
}

# Contents, not dates: a checkout or a touched file is no change. The JDK counts, since the AOT cache
# next to the jar is valid for one JDK only. Load tests are no part of the distribution.
source_hash() {
  (
    cd "$SLUICE_ROOT" || exit 1
    jdk_version
    find pom.xml .mvn {ca-core,hsm-adapter,ca-api,ca-api/client}/{pom.xml,src/main} -type f -print0 | sort -z | xargs -0 sha256sum
  ) | sha256sum | cut -c 1-64
}

# maven LOG ARGUMENTS…: the wrapper, also where there is no home to keep a cache in.
maven() {
  local log="$1"
  shift
  run_long "$log" maven_here -B -ntp "$@"
}

# Becomes Maven: run_long has put it in a process of its own.
maven_here() { maven_in "$SLUICE_ROOT" "$@"; }

# maven_in TREE ARGUMENTS…
maven_in() {
  local tree="$1" arguments=("${@:2}")
  if ! usable_home; then
    export MAVEN_USER_HOME="$SLUICE_ROOT/target/m2"
    arguments+=("-Dmaven.repo.local=$MAVEN_USER_HOME/repository")
  fi
  cd "$tree" || exit 1
  # Modes of files are in the jars that Maven makes of them.
  umask 022
  # Warnings of Maven's own libraries about the JDK would bury ours.
  export MAVEN_OPTS="${MAVEN_OPTS:-} --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED"
  exec ./mvnw "${arguments[@]}"
}

# Maven reads HOME, the JVM the password database: both must be writable.
usable_home() {
  local passwd_home
  passwd_home="$(getent passwd "$(id -u)" | cut -d: -f6)"
  [ -n "${HOME:-}" ] && [ -d "$HOME" ] && [ -w "$HOME" ] && [ -d "$passwd_home" ] && [ -w "$passwd_home" ]
}

# PostgreSQL's programs from Maven Central, unpacked once per version. Sets POSTGRES_HOME.
fetch_postgres() {
  local version architecture artifact
  version="$(sed -n 's:.*<embedded-postgres-binaries.version>\(.*\)</.*:\1:p' "$SLUICE_ROOT/pom.xml")"
  [ -n "$version" ] || die "pom.xml names no embedded-postgres-binaries.version"
  case "$(uname -m)" in
    x86_64) architecture=amd64 ;;
    aarch64) architecture=arm64v8 ;;
    *) missing_prerequisite "no embedded PostgreSQL for $(uname -m): give --database-url" ;;
  esac
  POSTGRES_HOME="$POSTGRES_ROOT/$version"
  [ ! -x "$POSTGRES_HOME/bin/postgres" ] || return 0
  make_work_directory
  exec 8<>"$WORK/build.lock"
  flock -w 900 8 || die "another build has held $WORK/build.lock for 15 minutes"
  artifact="embedded-postgres-binaries-linux-$architecture"
  say "fetching PostgreSQL $version"
  [ -x "$POSTGRES_HOME/bin/postgres" ] || unpack_postgres "$artifact" "$version"
  exec 8>&-
}

unpack_postgres() {
  local artifact="$1" version="$2" fresh="$POSTGRES_ROOT/$2.new"
  rm -rf "$fresh"
  (umask 022 && mkdir -p "$fresh/jar")
  # -N: the root project alone, whose plugin versions are pinned.
  maven "$WORK/postgres.log" -q -N dependency:copy \
    "-Dartifact=io.zonky.test.postgres:$artifact:$version" "-DoutputDirectory=$fresh/jar" ||
    die "cannot fetch PostgreSQL $version: $(last_words "$WORK/postgres.log")"
  (
    umask 022
    cd "$fresh/jar" && "$JAVA_HOME/bin/jar" --extract --file "$artifact-$version.jar" &&
      tar -xJf ./*.txz -C "$fresh"
  ) || die "cannot unpack PostgreSQL $version in $fresh"
  rm -rf "$fresh/jar"
  mv -T "$fresh" "$POSTGRES_HOME"
}
