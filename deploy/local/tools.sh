# shellcheck shell=bash
# The foreign programs that judge our tests: each in a folder of its own in the user's cache, named by version and
# recipe, installed once for all checkouts, and linked from target/tools. Needs common.sh and SLUICE_ROOT.

readonly TOOLS="$SLUICE_ROOT/target/tools"
readonly ZLINT_VERSION=v3.6.1
readonly PKILINT_VERSION=0.13.3
readonly BADKEYS_VERSION=0.0.21
readonly CRYPTOGRAPHY_VECTORS_VERSION=50.0.2
readonly SSLYZE_VERSION=6.3.1
readonly SCHEMATHESIS_VERSION=4.32.5
# Of Grafana 11.6, as deploy/compose/monitoring.yaml has it.
readonly GRAFANA_SCHEMA_VERSION='1769699379!11.6.0'
readonly KUBERNETES_VALIDATE_VERSION=1.37.0
readonly CERTBOT_VERSION=5.8.0
readonly ACME_TINY_VERSION=5.0.3
readonly CERT_MANAGER_VERSION=v1.21.2
readonly TRAEFIK_VERSION=v3.7.13
# As loadtest/clients/instant-acme has it; its recipe and key read that folder.
readonly INSTANT_ACME_VERSION=0.8.5
# The least that the crates in its Cargo.lock are compiled by.
readonly CARGO_LEAST=1.85
readonly TREE_SITTER_VERSION=0.25.2
readonly TREE_SITTER_POWERSHELL_VERSION=0.26.4
readonly ACME_GO="$SLUICE_ROOT/loadtest/clients/acme"
readonly PEBBLE_GO="$SLUICE_ROOT/loadtest/clients/pebble"
# A version that no checkout has used for so long is removed.
readonly TOOL_UNUSED_DAYS=90

# Every tool and its version. install_NAME makes it in the folder that it is given.
tool_versions() {
  cat <<LIST
zlint $ZLINT_VERSION
pkilint $PKILINT_VERSION
http sslyze-$SSLYZE_VERSION-schemathesis-$SCHEMATHESIS_VERSION
badkeys $BADKEYS_VERSION-vectors-$CRYPTOGRAPHY_VECTORS_VERSION
prometheus debian
nginx debian
grafana-schema $GRAFANA_SCHEMA_VERSION
kubernetes $KUBERNETES_VALIDATE_VERSION
certbot $CERTBOT_VERSION
lego debian
dehydrated debian
uacme debian
caddy debian
acme-tiny $ACME_TINY_VERSION
cert-manager-schemas $CERT_MANAGER_VERSION
acme-go $(go_sources "$ACME_GO" | sha256sum | cut -c 1-8)
pebble $(go_sources "$PEBBLE_GO" | sha256sum | cut -c 1-8)
traefik $TRAEFIK_VERSION
instant-acme $INSTANT_ACME_VERSION
powershell $TREE_SITTER_POWERSHELL_VERSION-parser-$TREE_SITTER_VERSION
debian-root bookworm
debian-root-13 trixie
LIST
}

# only_nightly NAME: whether a tool takes minutes to make and only nightly tests use it.
only_nightly() { [[ "$1" == @(traefik|debian-root-13) ]]; }

# Installs what is missing. A machine that cannot have one of them runs the suite without that judge, whose tests then
# count themselves as skipped. Without one of the nightly tier's own, that tier fails.
install_tools() {
  local name version status=0
  while read -r name version; do
    if ! only_nightly "$name"; then
      tool "$name" || tool_missing "$name" "$version"
    elif [ "${SUITE_TIER:-ci}" != ci ]; then
      tool "$name" || { tool_missing "$name" "$version"; status=1; }
    fi
  done < <(tool_versions)
  return "$status"
}

tool_missing() { say "warning: no $1 $2: $(last_words "$(tool_log "$1")")"; }

# tool NAME: has target/tools/NAME lead to the installed tool; installs it first if need be. Blocks for minutes at most.
tool() {
  local name="$1" folder
  folder="$(tool_cache)/$(tool_key "$name")"
  (umask 022 && mkdir -p "$TOOLS/bin" "$(dirname "$folder")") || return
  tool_made "$name" "$folder" >"$(tool_log "$name")" 2>&1 || return
  tool_link "$folder" "$TOOLS/$name"
  tool_programs "$name" "$folder"
}

tool_log() { printf '%s/%s.log' "$TOOLS" "$1"; }

# In the checkout's own target only where there is no home to write to.
tool_cache() {
  local cache="${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}"
  if (umask 022 && mkdir -p "$cache/sluice/tools") 2>/dev/null && [ -w "$cache/sluice/tools" ]; then
    printf '%s' "$cache/sluice/tools"
  else
    printf '%s' "$SLUICE_ROOT/target/cache/tools"
  fi
}

# NAME-VERSION-HASH; the hash is of all that a tool is made by: recipe, our own sources, processor, interpreter.
tool_key() {
  local name="$1" version
  version="$(tool_versions | sed -n "s/^$name //p")"
  [ -n "$version" ] || { say "no tool $name"; return 1; }
  printf '%s-%s-%s' "$name" "${version//[!A-Za-z0-9.-]/_}" \
    "$({ declare -f "install_$name" in_python debian_programs debian_root go_programs; tool_sources "$name"; uname -m; python3 --version; cat /etc/debian_version; } 2>/dev/null | sha256sum | cut -c 1-8)"
}

# A client that is a library has a program of ours around it.
tool_sources() {
  local folder="$SLUICE_ROOT/loadtest/clients/$1"
  [ ! -d "$folder" ] || cat "$folder"/Cargo.toml "$folder"/Cargo.lock "$folder"/src/*.rs
}

# tool_made NAME FOLDER: true once FOLDER is whole. Another checkout may be at it, so a lock is held meanwhile.
tool_made() (
  local name="$1" folder="$2"
  exec 7>"${folder%/*}/$name.lock"
  flock -w 900 7 || { printf 'sluice: another installation has held %s.lock for 15 minutes\n' "$name"; return 1; }
  if [ ! -e "$folder/.whole" ]; then
    rm -rf "$folder"
    # In the folder itself, not moved afterwards: Python's environments hold their own path.
    (umask 022 && mkdir "$folder" && cd "$folder" && "install_$name" "$folder") || { rm -rf "$folder"; return 1; }
  fi
  touch "$folder/.whole"
  tool_forget_unused "${folder%/*}" "$name"
)

tool_forget_unused() {
  local mark
  find "$1" -mindepth 2 -maxdepth 2 -path "*/$2-*/.whole" -mtime "+$TOOL_UNUSED_DAYS" | while IFS= read -r mark; do
    rm -rf "${mark%/.whole}"
  done
}

# tool_link TARGET LINK: also where an earlier version of this script has left a folder.
tool_link() {
  [ -L "$2" ] || rm -rf "$2"
  ln -sfn "$1" "$2"
}

tool_programs() {
  local name
  case "$1" in
    certbot | acme-tiny) tool_link "$2/bin/$1" "$TOOLS/bin/$1" ;;
    zlint | prometheus | nginx | lego | dehydrated | uacme | caddy | acme-go | pebble | traefik | instant-acme)
      for name in "$2"/bin/*; do
        tool_link "$name" "$TOOLS/bin/${name##*/}"
      done
      ;;
    badkeys)
      tool_link "$2/examples" "$TOOLS/badkeys-examples"
      tool_link "$2/vectors" "$TOOLS/cryptography-vectors"
      ;;
  esac
}

# --- Recipes: each works in the folder that it is given ------------------------------------------------

# in_python FOLDER PACKAGE==VERSION…
in_python() {
  python3 -m venv "$1" && "$1/bin/pip" install -q --disable-pip-version-check "${@:2}"
}

# go_programs FOLDER PACKAGE…: into its bin. Sources and objects (200 MB) are dropped once the programs are there;
# -modcacherw makes them removable.
go_programs() {
  have go || install_packages golang-go || return
  GOBIN="$1/bin" GOPATH="$1/go" GOCACHE="$1/go-build" GOFLAGS=-modcacherw go install "${@:2}" &&
    rm -rf "$1/go" "$1/go-build"
}

# debian_programs PACKAGE FILE…: these files of a Debian package, into bin. They are not installed with the package,
# which might start a server. A fresh image has no package lists.
debian_programs() {
  timeout 300 apt-get -q download "$1" ||
    { is_root && timeout 120 apt-get -q update && timeout 300 apt-get -q download "$1"; } || return
  dpkg-deb --fsys-tarfile "$1"_*.deb | tar -x "${@:2}" && mkdir bin && mv "${@:2}" bin/ && rm -rf usr "$1"_*.deb
}

install_zlint() { go_programs "$1" "github.com/zmap/zlint/v3/cmd/zlint@$ZLINT_VERSION"; }

install_pkilint() { in_python "$1" "pkilint==$PKILINT_VERSION"; }

install_http() { in_python "$1" "sslyze==$SSLYZE_VERSION" "schemathesis==$SCHEMATHESIS_VERSION"; }

# badkeys judges keys; its source package has the keys that it must find. The vectors are requests that
# another library met in the wild; of their 56 MB only these are kept.
install_badkeys() {
  in_python "$1" "badkeys==$BADKEYS_VERSION" || return
  local pip=("$1/bin/pip" -q --disable-pip-version-check) requests=cryptography_vectors/x509/requests
  "${pip[@]}" download --no-deps --no-binary :all: -d source "badkeys==$BADKEYS_VERSION" &&
    "${pip[@]}" download --no-deps -d source "cryptography-vectors==$CRYPTOGRAPHY_VECTORS_VERSION" &&
    python3 -m zipfile -e source/cryptography_vectors-*.whl source/wheel &&
    mkdir -p "vectors/${requests%/*}" && mv "source/wheel/$requests" "vectors/${requests%/*}/" &&
    tar -xzf source/badkeys-*.tar.gz -C source && mv "source/badkeys-$BADKEYS_VERSION/tests/data" examples &&
    rm -rf source
}

install_prometheus() { debian_programs prometheus ./usr/bin/promtool ./usr/bin/prometheus; }

install_nginx() { debian_programs nginx ./usr/sbin/nginx && bin/nginx -v; }

# Clients of ACME. Those that need libraries are started once: a machine without them has no such tool.
install_certbot() { in_python "$1" "certbot==$CERTBOT_VERSION"; }
install_acme-tiny() { in_python "$1" "acme-tiny==$ACME_TINY_VERSION"; }
install_lego() { debian_programs lego ./usr/bin/lego; }
install_dehydrated() { debian_programs dehydrated ./usr/bin/dehydrated; }
install_uacme() { debian_programs uacme ./usr/bin/uacme && ldd bin/uacme && ! ldd bin/uacme | grep "not found"; }
install_caddy() { debian_programs caddy ./usr/bin/caddy && bin/caddy version; }

# Programs of ours around libraries, in the versions that go.mod names.
go_sources() { find "$1" -type f | LC_ALL=C sort | xargs -r cat; }
install_acme-go() { cd "$ACME_GO" && go_programs "$1" ./...; }

# Let's Encrypt's server for tests, in the version and with the checksums of go.mod and go.sum.
install_pebble() { cd "$PEBBLE_GO" && go_programs "$1" github.com/letsencrypt/pebble/v2/cmd/pebble; }

# Its go.mod replaces modules, so `go install` takes it only as a dependency of a module of ours, which has the same
# go.mod but for three things:
# - The Go proxy does not have the module `ext`, two empty structs in a folder of the repository: it is written here.
# - The proxy does not have the fork of go-http-auth in the version that is named there: the version before it. Only
#   middlewares that no test uses need it.
# - lego is taken without its DNS providers, about 200, since the proxy does not have the libraries of many. dns-01 is
#   therefore the only challenge that this Traefik cannot do.
# Modules and objects (2 GB) are dropped. The build takes 7 minutes of one processor and 3 GB of memory.
install_traefik() {
  have go || install_packages golang-go || return
  local traefik=github.com/traefik/traefik/v3 lego=github.com/go-acme/lego/v5 modules="$1/go/pkg/mod" source version
  local go_download=(env "GOPATH=$1/go" GOFLAGS=-modcacherw go mod download)
  "${go_download[@]}" "$traefik@$TRAEFIK_VERSION" || return
  source="$modules/$traefik@$TRAEFIK_VERSION"
  version="$(awk -v lego="$lego" '$1 == lego { print $2 }' "$source/go.mod")" &&
    "${go_download[@]}" "$lego@$version" && mkdir -p module/ext module/lego && cd module || return
  tar -c -C "$modules/$lego@$version" --exclude=./providers/dns --exclude=./cmd --exclude=./docs --exclude=./e2e . |
    tar -x -C lego && mkdir -p lego/providers/dns || return
  cat >lego/providers/dns/none.go <<'GO'
package dns

import (
	"errors"

	"github.com/go-acme/lego/v5/challenge"
)

func NewDNSChallengeProviderByName(name string) (challenge.Provider, error) {
	return nil, errors.New("built without DNS providers: " + name)
}
GO
  printf 'module github.com/traefik/traefik/dynamic/ext\n\ngo 1.26.0\n' >ext/go.mod
  printf 'package ext\n\ntype HTTP struct{}\n\ntype Router struct{}\n' >ext/ext.go
  sed -e 's#^module .*#module traefik#' -e 's#=> ./pkg/config/dynamic/ext#=> ./ext#' \
    -e 's#\(containous/go-http-auth\) v.*#\1 v0.4.1-0.20200324110947-a37a7636d23e#' "$source/go.mod" >go.mod
  printf '\nrequire %s %s\n\nreplace %s => ./lego\n' "$traefik" "$TRAEFIK_VERSION" "$lego" >>go.mod
  cp "$source/go.sum" . &&
    go_programs "$1" -mod=mod -trimpath "-ldflags=-s -w -X $traefik/pkg/version.Version=${TRAEFIK_VERSION#v}" \
      "$traefik/cmd/traefik" && rm -rf ../module && ../bin/traefik version
}

# The schemas of its own kinds, out of its source.
install_cert-manager-schemas() {
  have go || install_packages golang-go || return
  GOPATH="$1/go" GOFLAGS=-modcacherw go mod download "github.com/cert-manager/cert-manager@$CERT_MANAGER_VERSION" &&
    mkdir schemas && mv go/pkg/mod/github.com/cert-manager/cert-manager@*/deploy/crds/*.yaml schemas/ && rm -rf go
}

# The compiler and the objects (700 MB) are dropped once the program is there.
install_instant-acme() {
  has_cargo || debian_cargo "$1/rust" || return
  CARGO_TARGET_DIR="$1/build" timeout 600 cargo install --quiet --locked --root "$1" \
    --path "$SLUICE_ROOT/loadtest/clients/instant-acme" && rm -rf "$1/build" "$1/rust"
}

# Also false for rustup's command where the home with its compilers is another one.
has_cargo() {
  local version
  version="$(cargo --version 2>/dev/null | awk '{ print $2 }')" && [ -n "$version" ] &&
    printf '%s\n' "$CARGO_LEAST" "$version" | sort -V -C
}

# debian_cargo FOLDER: puts a cargo of Debian's first in the PATH. Debian 12 has one that is new enough as cargo-web,
# Debian 13 as cargo. It is unpacked in FOLDER (100 MB, 500 MB unpacked): installed, it would replace an older one.
debian_cargo() {
  local package
  export PATH="$1/usr/bin:/usr/bin:$PATH"
  ! has_cargo || return 0
  for package in cargo-web cargo; do
    rm -rf "$1" && mkdir "$1" || return
    debian_unpack "$package" "$1" || continue
    LD_LIBRARY_PATH="$(printf '%s:' "$1"/usr/lib/*-linux-gnu)${LD_LIBRARY_PATH:-}"
    export LD_LIBRARY_PATH="${LD_LIBRARY_PATH%:}"
    ! has_cargo || return 0
  done
  printf 'sluice: no cargo %s or later here or in Debian'"'"'s packages: AcmeClientsIT.instantAcme_wholeLife is skipped\n' "$CARGO_LEAST"
  return 1
}

# debian_unpack PACKAGE FOLDER: a Debian package, and all that it needs and is not installed. apt verifies them by
# Debian's signed lists, which a fresh image does not have.
debian_unpack() {
  local file
  (cd "$2" && { debian_download "$1" || { is_root && timeout 120 apt-get -q update && debian_download "$1"; }; }) || return
  for file in "$2"/*.deb; do
    dpkg-deb -x "$file" "$2" || return
  done
}

debian_download() {
  local names
  names="$(apt-get --print-uris -qq --no-install-recommends install "$1" | awk '{ sub(/_.*/, "", $2); print $2 }')" || return
  # shellcheck disable=SC2086 # a list of words
  [ -n "$names" ] && rm -f ./*.deb && timeout 300 apt-get -q download $names
}

install_grafana-schema() { in_python "$1" "grafana-foundation-sdk==$GRAFANA_SCHEMA_VERSION"; }

# The schemas come with it.
install_kubernetes() { in_python "$1" "kubernetes-validate==$KUBERNETES_VALIDATE_VERSION"; }

# A parser of PowerShell.
install_powershell() {
  in_python "$1" "tree-sitter==$TREE_SITTER_VERSION" "tree-sitter-powershell==$TREE_SITTER_POWERSHELL_VERSION"
}

# Debian's essential packages and what a node with SoftHSM needs: what packages are installed in.
install_debian-root() { debian_root bookworm; }
install_debian-root-13() { debian_root trixie; }

debian_root() {
  is_root && (require_tools mmdebstrap:mmdebstrap) || return
  mmdebstrap --variant=essential --include=adduser,passwd,softhsm2 "$1" root.tar
}
