# shellcheck shell=bash
# A Docker engine for the tests where none answers: Debian's, unpacked below target/tools and run in a network
# namespace of its own, and the compose plugin from the Go proxy. As root; nothing of the machine is changed.

readonly COMPOSE_PLUGIN_VERSION=v2.40.3
readonly ENGINE_PACKAGES='docker.io containerd runc iptables libip6tc2 libip4tc2 libxtables12 libnetfilter-conntrack3 libnfnetlink0 libnftnl11'
ENGINE_DIR="$TOOLS/containers"
ENGINE_NS="sluice-ct-$$"
ENGINE_PID=''

# Sets DOCKER_HOST and, for its network, ENGINE_IN (words before a command).
engine_start() {
  local tries
  ENGINE_IN=()
  if timeout 20 docker version --format '{{.Server.Version}}' >/dev/null 2>&1; then
    return 0
  fi
  [ "$(id -u)" -eq 0 ] || { WHY="no Docker engine answers, and starting one needs root"; return 1; }
  engine_install || return 1
  ip netns add "$ENGINE_NS" || { WHY="no network namespace can be made"; return 1; }
  ip netns exec "$ENGINE_NS" ip link set lo up
  export PATH="$ENGINE_DIR/bin:$ENGINE_DIR/root/usr/bin:$ENGINE_DIR/root/usr/sbin:$PATH"
  export LD_LIBRARY_PATH="$ENGINE_DIR/root/usr/lib/x86_64-linux-gnu" XTABLES_LIBDIR="$ENGINE_DIR/root/usr/lib/x86_64-linux-gnu/xtables"
  nsenter "--net=/run/netns/$ENGINE_NS" dockerd --data-root "$WORK/engine/data" --exec-root "$WORK/engine/exec" --pidfile "$WORK/engine/pid" \
    -H "unix://$WORK/engine.sock" >"$WORK/engine.log" 2>&1 </dev/null &
  ENGINE_PID=$!
  unset LD_LIBRARY_PATH XTABLES_LIBDIR
  export DOCKER_HOST="unix://$WORK/engine.sock" DOCKER_CONFIG="$ENGINE_DIR/config"
  ENGINE_IN=(nsenter "--net=/run/netns/$ENGINE_NS" --)
  for ((tries = 0; tries < 120; tries++)); do
    ! timeout 5 docker version --format '{{.Server.Version}}' >/dev/null 2>&1 || return 0
    kill -0 "$ENGINE_PID" 2>/dev/null || break
    sleep 0.5
  done
  WHY="the engine did not start: $(tail -n 1 "$WORK/engine.log")"
  return 1
}

# By its number; its shims end with it.
engine_stop() {
  local tries
  [ -n "$ENGINE_PID" ] || return 0
  kill -s TERM "$ENGINE_PID" 2>/dev/null
  for ((tries = 0; tries < 100; tries++)); do
    kill -0 "$ENGINE_PID" 2>/dev/null || break
    sleep 0.2
  done
  kill -s KILL "$ENGINE_PID" 2>/dev/null
  awk -v below="$WORK/engine/" 'index($2, below) == 1 { print $2 }' /proc/mounts | sort -r | while IFS= read -r mount; do
    umount "$mount" 2>/dev/null
  done
  ip netns delete "$ENGINE_NS" 2>/dev/null
}

engine_install() {
  local package name
  if [ ! -e "$ENGINE_DIR/installed" ]; then
    rm -rf "$ENGINE_DIR"
    (umask 022 && mkdir -p "$ENGINE_DIR/debs" "$ENGINE_DIR/root" "$ENGINE_DIR/bin" "$ENGINE_DIR/config/cli-plugins")
    (
      cd "$ENGINE_DIR/debs" || exit
      # shellcheck disable=SC2086 # a list of words
      timeout 300 apt-get -q download $ENGINE_PACKAGES mmdebstrap || { timeout 120 apt-get -q update && timeout 300 apt-get -q download $ENGINE_PACKAGES mmdebstrap; } || exit
      for package in *.deb; do dpkg-deb -x "$package" ../root || exit; done
    ) >"$WORK/install.log" 2>&1 || { WHY="Debian's engine cannot be fetched: $(tail -n 1 "$WORK/install.log")"; return 1; }
    rm -rf "$ENGINE_DIR/debs"
    for name in iptables iptables-save iptables-restore ip6tables ip6tables-save ip6tables-restore; do
      ln -s ../root/usr/sbin/xtables-nft-multi "$ENGINE_DIR/bin/$name"
    done
    engine_compose >"$WORK/compose.log" 2>&1 || { WHY="compose cannot be built: $(tail -n 1 "$WORK/compose.log")"; return 1; }
    engine_base >"$WORK/base.log" 2>&1 || { WHY="the base image cannot be made: $(tail -n 1 "$WORK/base.log")"; return 1; }
    : >"$ENGINE_DIR/installed"
  fi
}

# go install refuses a module that replaces others; as a dependency it is built.
engine_compose() {
  command -v go >/dev/null || { printf 'no go\n'; return 1; }
  mkdir -p "$WORK/plugin" && (
    cd "$WORK/plugin" || exit
    export GOPATH="$WORK/go" GOCACHE="$WORK/go-build" GOFLAGS='-modcacherw -mod=mod'
    go mod init plugin && go get "github.com/docker/compose/v2/cmd@$COMPOSE_PLUGIN_VERSION" &&
      go build -ldflags "-s -w -X github.com/docker/compose/v2/internal.Version=$COMPOSE_PLUGIN_VERSION" \
        -o "$ENGINE_DIR/config/cli-plugins/docker-compose" github.com/docker/compose/v2/cmd
  )
  local status=$?
  rm -rf "$WORK/plugin" "$WORK/go" "$WORK/go-build"
  return "$status"
}

# Debian with what both images of the tests need, since nothing in the namespace reaches a mirror.
engine_base() {
  "$ENGINE_DIR/root/usr/bin/mmdebstrap" --variant=minbase --include=softhsm2,postgresql-client \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    bookworm "$ENGINE_DIR/base.tar" 'deb http://deb.debian.org/debian bookworm main' 'deb http://deb.debian.org/debian-security bookworm-security main'
}

# engine_base_image NAME: that Debian, as an image.
engine_base_image() { docker import "$ENGINE_DIR/base.tar" "$1" >/dev/null; }

# engine_database BASE NAME: PostgreSQL as an image, of the server that the launcher has fetched.
engine_database() {
  local server
  server="$(find "$ROOT/ca-api/target/postgres" -mindepth 1 -maxdepth 1 -type d 2>/dev/null | sort | tail -n 1)"
  [ -x "$server/bin/postgres" ] || { printf 'no PostgreSQL in ca-api/target/postgres: ./sluice up fetches it\n'; return 1; }
  mkdir -p "$WORK/database"
  cp -r "$ROOT/deploy/compose/test/database/." "$WORK/database/"
  cp -r "$server" "$WORK/database/server"
  docker build -q --build-arg "BASE=$1" -f "$WORK/database/Containerfile" -t "$2" "$WORK/database"
}
