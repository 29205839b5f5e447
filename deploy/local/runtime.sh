# shellcheck shell=bash
# The Java runtime of machines and containers: of the JDK, what a node needs, made by jlink.

# What the service, Spring and PKCS#11 ask for; `jdeps` finds those that are linked, the rest are looked up by name.
readonly RUNTIME_MODULES=java.base,java.compiler,java.desktop,java.instrument,java.logging,java.management,java.naming,java.net.http,java.prefs,java.rmi,java.scripting,java.security.jgss,java.security.sasl,java.sql,java.transaction.xa,java.xml,jdk.crypto.cryptoki,jdk.crypto.ec,jdk.jfr,jdk.management,jdk.naming.dns,jdk.net,jdk.unsupported,jdk.zipfs

# java_runtime CACHE: sets JAVA_RUNTIME, a folder in CACHE that is made once per JDK and list of modules.
java_runtime() {
  JAVA_RUNTIME="$1/jre-$(jdk_version)-$(printf '%s' "$RUNTIME_MODULES" | sha256sum | cut -c 1-8)"
  [ ! -d "$JAVA_RUNTIME" ] || return 0
  say "making a Java runtime"
  rm -rf "$JAVA_RUNTIME.new"
  "$JAVA_HOME/bin/jlink" --add-modules "$RUNTIME_MODULES" --strip-debug --no-man-pages --no-header-files \
    --compress zip-6 --generate-cds-archive --output "$JAVA_RUNTIME.new" || die "jlink failed"
  mv "$JAVA_RUNTIME.new" "$JAVA_RUNTIME"
}
