# shellcheck shell=bash
# What the machine must have. Installed by apt as root or with passwordless sudo; otherwise the exact
# command is printed and the launcher ends with exit code 3.

readonly JDK_MAJOR=25

# command:package. script, setsid, unshare and the like are Essential on Debian; minimal images drop some.
readonly RUN_TOOLS='softhsm2-util:softhsm2 curl:curl openssl:openssl xz:xz-utils flock:util-linux setsid:util-linux
  script:bsdutils awk:mawk'
readonly TEST_TOOLS='gcc:gcc make:make certtool:gnutls-bin jq:jq isoinfo:genisoimage nft:nftables
  zip:zip unzip:unzip lintian:lintian zsh:zsh fish:fish'

prerequisites_to_run() {
  [ "$(uname -s)" = Linux ] || missing_prerequisite "the launcher needs Linux, this is $(uname -s)"
  # shellcheck disable=SC2086 # a list of words
  require_tools $RUN_TOOLS
  require_jdk
}

prerequisites_to_test() {
  # Where Debian has what root alone needs, which is not in everybody's PATH.
  export PATH="$PATH:/usr/sbin"
  prerequisites_to_run
  # shellcheck disable=SC2086 # a list of words
  require_tools $TEST_TOOLS
  # gcc alone cannot link a PKCS#11 module: the C library's headers are a package of their own.
  [ -e /usr/include/stdlib.h ] || install_packages libc6-dev
  require_nethsm_header
}

# What the simulated HSM is compiled with.
require_nethsm_header() {
  [ -e /usr/include/p11-kit-1/p11-kit/pkcs11.h ] || install_packages libp11-kit-dev
}

# require_tools command:package…: installs the packages of those commands that are missing.
require_tools() {
  local pair missing=()
  for pair in "$@"; do
    have "${pair%%:*}" || missing+=("${pair#*:}")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  mapfile -t missing < <(printf '%s\n' "${missing[@]}" | sort -u)
  install_packages "${missing[@]}"
  for pair in "$@"; do
    have "${pair%%:*}" || missing_prerequisite "'${pair%%:*}' is still missing after installing ${pair#*:}"
  done
}

install_packages() {
  local as_root=() log
  have apt-get || missing_prerequisite "missing: $*. Install them with your system's package manager"
  if ! is_root; then
    have sudo && sudo -n true 2>/dev/null ||
      missing_prerequisite "missing packages; run: sudo apt-get update && sudo apt-get install -y --no-install-recommends $*"
    as_root=(sudo -n)
  fi
  say "installing $*"
  log="$(mktemp)"
  # A fresh image has no package lists; an old one may name versions that are gone: update once, retry.
  apt_install "$@" >"$log" 2>&1 ||
    { "${as_root[@]}" apt-get -q update >>"$log" 2>&1 && apt_install "$@" >>"$log" 2>&1; } ||
    { tail -n 5 "$log" >&2; rm -f "$log"; missing_prerequisite "apt-get could not install $*"; }
  rm -f "$log"
}

# Uses as_root of its caller. Waits for another apt for at most two minutes.
apt_install() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -o DPkg::Lock::Timeout=120 install -y --no-install-recommends "$@" 9>&- </dev/null
}

# Finds a JDK (not only a runtime: the launcher builds) and exports JAVA_HOME for all that follows.
require_jdk() {
  local home
  home="$(find_jdk)" || {
    local package="openjdk-$JDK_MAJOR-jdk-headless"
    have apt-cache && [ -n "$(apt-cache madison "$package" 2>/dev/null)" ] ||
      missing_prerequisite "JDK $JDK_MAJOR not found (JAVA_HOME, PATH, /usr/lib/jvm, SDKMAN): install one, e.g. Temurin $JDK_MAJOR from https://adoptium.net, and set JAVA_HOME"
    install_packages "$package"
    home="$(find_jdk)" || missing_prerequisite "JDK $JDK_MAJOR not found after installing $package"
  }
  export JAVA_HOME="$home"
  export PATH="$JAVA_HOME/bin:$PATH"
}

find_jdk() {
  local home on_path
  on_path="$(readlink -f "$(command -v javac || true)" 2>/dev/null || true)"
  for home in "${JAVA_HOME:-}" "${on_path%/bin/javac}" /usr/lib/jvm/*"$JDK_MAJOR"* \
    "${SDKMAN_DIR:-${HOME:-}/.sdkman}"/candidates/java/*; do
    if is_jdk "$home"; then
      printf '%s\n' "$home"
      return 0
    fi
  done
  return 1
}

# The file `release` is part of every JDK: no JVM needs to start to be asked its version.
is_jdk() {
  local version
  [ -x "$1/bin/javac" ] && [ -x "$1/bin/java" ] && [ -r "$1/release" ] || return 1
  version="$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release")"
  [ "${version:-0}" -ge "$JDK_MAJOR" ]
}

jdk_version() { sed -n 's/^JAVA_VERSION="\(.*\)"/\1/p' "$JAVA_HOME/release"; }
