# shellcheck shell=bash
# The Java runtime of machines and containers: of the JDK, what a node needs, made by jlink.

# What the service, Spring and PKCS#11 ask for; `jdeps` finds those that are linked, the rest are looked up by name.
readonly RUNTIME_MODULES=java.base,java.compiler,java.desktop,java.instrument,java.logging,java.management,java.naming,java.net.http,java.prefs,java.rmi,java.scripting,java.security.jgss,java.security.sasl,java.sql,java.transaction.xa,java.xml,jdk.crypto.cryptoki,jdk.crypto.ec,jdk.jfr,jdk.management,jdk.naming.dns,jdk.net,jdk.unsupported,jdk.zipfs

# java_runtime CACHE: sets JAVA_RUNTIME, a folder in CACHE that is made once per JDK and recipe.
java_runtime() {
  JAVA_RUNTIME="$1/jre-$(jdk_version)-$({ printf '%s' "$RUNTIME_MODULES"; declare -f java_runtime runtime_notices; cat "$JAVA_HOME/release"; } | sha256sum | cut -c 1-8)"
  [ ! -d "$JAVA_RUNTIME" ] || return 0
  say "making a Java runtime"
  rm -rf "$JAVA_RUNTIME.new"
  "$JAVA_HOME/bin/jlink" --add-modules "$RUNTIME_MODULES" --strip-debug --no-man-pages --no-header-files \
    --compress zip-6 --generate-cds-archive --output "$JAVA_RUNTIME.new" || die "jlink failed"
  runtime_notices "$JAVA_RUNTIME.new"
  mv "$JAVA_RUNTIME.new" "$JAVA_RUNTIME"
}

# runtime_notices RUNTIME: what a copy of the JDK must carry. jlink brings the modules' legal notices, but not the vendor's, and of
# the file `release` neither vendor nor sources.
runtime_notices() {
  [ ! -e "$JAVA_HOME/NOTICE" ] || cp "$JAVA_HOME/NOTICE" "$1/legal/NOTICE" || die "cannot write to $1"
  { grep -vE '^(MODULES|IMAGE_TYPE)=' "$JAVA_HOME/release"; grep '^MODULES=' "$1/release"; } >"$1/release.new" && mv "$1/release.new" "$1/release" ||
    die "cannot write to $1"
  [ -s "$1/legal/java.base/LICENSE" ] || die "the JDK in $JAVA_HOME has no legal notices (legal/java.base/LICENSE): a runtime of it cannot be given to others"
}

# runtime_in_sbom FILE: adds the Java runtime of the packages to an SBOM of the Maven plugin, which knows libraries alone.
runtime_in_sbom() {
  local key line part
  declare -A jdk=()
  while IFS='=' read -r key line; do
    line="${line%\"}"
    jdk[$key]="${line#\"}"
  done <"$JAVA_HOME/release"
  part="$(cat <<PART
    {
      "type" : "platform",
      "bom-ref" : "pkg:generic/openjdk@${jdk[JAVA_VERSION]}",
      "supplier" : {
        "name" : "${jdk[IMPLEMENTOR]:-unknown}"
      },
      "name" : "openjdk",
      "version" : "${jdk[JAVA_RUNTIME_VERSION]:-${jdk[JAVA_VERSION]}}",
      "description" : "The Java runtime in usr/lib/sluice/jre, made by jlink",
      "licenses" : [
        {
          "expression" : "GPL-2.0-only WITH Classpath-exception-2.0"
        }
      ],
      "cpe" : "cpe:2.3:a:oracle:openjdk:${jdk[JAVA_VERSION]}:*:*:*:*:*:*:*",
      "purl" : "pkg:generic/openjdk@${jdk[JAVA_VERSION]}"
    },
PART
)"
  grep -qx '  "components" : \[' "$1" || die "the SBOM is not as expected: $1"
  awk -v part="$part" '{ print } !done && $0 == "  \"components\" : [" { print part; done = 1 }' "$1" >"$1.new" && cat "$1.new" >"$1" && rm "$1.new" || die "cannot write to $1"
}
