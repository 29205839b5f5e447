# shellcheck shell=bash
# Other CAs to compare with: step-ca and cfssl, built from source by the Go module proxy in the versions that
# loadtest/peers/*/go.mod pins and go.sum checks.

readonly PEERS="$SLUICE_ROOT/loadtest/peers"
readonly PEER_TOOLS="$SLUICE_ROOT/target/tools/peers"
# The first that fetches by itself the toolchain that a go.mod asks for.
readonly GO_MINOR_MIN=21
# What is built from them, and what of it goes where is below.
declare -rA PEER_PACKAGE=(
  [step-ca]=github.com/smallstep/certificates
  [cfssl]=github.com/cloudflare/cfssl
)

# peers_install PRODUCT…: minutes the first time, of download and compiler; then nothing.
peers_install() {
  local product
  for product in "$@"; do
    peer_is_built "$product" || peer_build "$product"
  done
}

peer_is_built() { [ "$(cat "$PEER_TOOLS/$1/sources" 2>/dev/null)" = "$(peer_sources "$1")" ]; }

peer_sources() { (cd "$PEERS/$1" && find . -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum | cut -c 1-64); }

peer_build() {
  local product="$1" home="$PEER_TOOLS/$1" log="$PEER_TOOLS/$1.log"
  require_go
  require_tools gcc:gcc pkg-config:pkg-config
  [ -e /usr/include/stdlib.h ] || install_packages libc6-dev
  # step-ca can have its key in a YubiKey, and is not built without.
  [ "$product" != step-ca ] || [ -e /usr/include/PCSC/winscard.h ] || install_packages libpcsclite-dev
  say "building $product $(peer_version "$product") (minutes; log $log)"
  rm -rf "$home"
  (umask 022 && mkdir -p "$home")
  run_long "$log" peer_compile "$product" || die "$product does not build: $(last_words "$log") (log $log)"
  peer_sources "$product" >"$home/sources"
}

# Sources and objects (2 GB) stay until both are built: peers_forget_sources. The compiler ends with this shell.
peer_compile() {
  local product="$1" home="$PEER_TOOLS/$1"
  umask 022
  cd "$PEERS/$product" || exit 1
  export GOPATH="$PEER_TOOLS/go" GOCACHE="$PEER_TOOLS/go-build" GOFLAGS='-modcacherw -mod=readonly -buildvcs=false' GOTOOLCHAIN=auto CGO_ENABLED=1
  setpriv --pdeathsig TERM go build -trimpath -o "$home/$product" "${PEER_PACKAGE[$product]}/cmd/$product" || exit 1
  case "$product" in
    step-ca) setpriv --pdeathsig TERM go build -trimpath -o "$home/badger" ./badger ;;
    cfssl) mkdir -p "$home/schema" && cp "$(go list -m -f '{{.Dir}}' "${PEER_PACKAGE[cfssl]}")"/certdb/pg/migrations/*.sql "$home/schema/" ;;
  esac || exit 1
  # What it was built from, by the word of the program itself.
  go version -m "$home/$product" | awk -v module="${PEER_PACKAGE[$product]}" '
    NR == 1 { go = $2 } $2 == module { version = $3 " (" $4 ")" } END { print version ", " go }' >"$home/version"
}

peers_forget_sources() { rm -rf "$PEER_TOOLS/go" "$PEER_TOOLS/go-build"; }

# The version that go.mod pins.
peer_version() { awk -v module="${PEER_PACKAGE[$1]}" '$1 == module { print $2 } $1 == "require" && $2 == module { print $3 }' "$PEERS/$1/go.mod"; }

require_go() {
  local version
  require_tools go:golang-go
  version="$(GOTOOLCHAIN=local go env GOVERSION)"
  [[ "$version" =~ ^go1\.([0-9]+) ]] && ((BASH_REMATCH[1] >= GO_MINOR_MIN)) ||
    missing_prerequisite "Go 1.$GO_MINOR_MIN or newer is needed to build the peers, this is ${version:-unknown}: install golang-go of a newer Debian, or its backports"
}

# --- Their keys, certificates and stores --------------------------------------------------------------

# peer_authority FOLDER: a root (P-384) and an issuing CA (P-256) below it, as the trial has, and a certificate for TLS.
peer_authority() {
  local folder="$1" log="$1/openssl.log"
  mkdir -p "$folder"
  {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-384 -nodes -keyout "$folder/root.key" -out "$folder/root.pem" -days 30 \
      -subj '/CN=bench root' -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign &&
      peer_certificate "$folder" issuing root '/CN=bench issuing' \
        'basicConstraints=critical,CA:TRUE,pathlen:0\nkeyUsage=critical,keyCertSign,cRLSign\nsubjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid' &&
      peer_certificate "$folder" tls issuing '/CN=localhost' \
        'subjectAltName=DNS:localhost\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\nsubjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid' &&
      cat "$folder/issuing.pem" >>"$folder/tls.pem"
  } >"$log" 2>&1 || die "openssl makes no CA: $(last_words "$log")"
}

# peer_certificate FOLDER NAME ISSUER SUBJECT EXTENSIONS: NAME.key (PKCS#8) and NAME.pem.
peer_certificate() {
  printf '%b\n' "$5" >"$1/$2.extensions"
  openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1/$2.key" &&
    openssl req -new -key "$1/$2.key" -subj "$4" -out "$1/$2.csr" &&
    openssl x509 -req -in "$1/$2.csr" -CA "$1/$3.pem" -CAkey "$1/$3.key" -CAcreateserial -days 20 -extfile "$1/$2.extensions" -out "$1/$2.pem"
}

# peer_token FOLDER: the issuing key moves into a SoftHSM token made as the trial's is.
peer_token() {
  (
    DATA="$1"
    mkdir -p "$DATA/secrets"
    SOFTHSM_MODULE="$(find_softhsm)" || missing_prerequisite "libsofthsm2.so not found: install the package softhsm2"
    make_token issuing
    # Its PIN guards a key that is thrown away with the folder.
    SOFTHSM2_CONF="$DATA/softhsm/issuing/softhsm2.conf" softhsm2-util --import "$DATA/issuing.key" --token sluice-issuing \
      --label issuing --id 01 --pin "$(cat "$DATA/secrets/issuing.pin")" >"$DATA/import.log" 2>&1 ||
      die "SoftHSM does not take the key: $(last_words "$DATA/import.log")"
    rm "$DATA/issuing.key"
  ) || exit 1
}

# peer_database FOLDER: a PostgreSQL of its own, of the same version and with the same settings as the trial's.
peer_database() {
  (
    DATA="$1"
    OPTION[nodes]=1
    mkdir -p "$DATA/secrets"
    start_database
  ) || exit 1
}

peer_database_url() { printf 'postgresql://sluice:%s@127.0.0.1:%s/sluice?sslmode=disable' "$(cat "$1/secrets/database.password")" "$(cat "$1/postgres.port")"; }

# --- Their configurations -----------------------------------------------------------------------------

# peer_jwk_provisioner JWK-FILE: one-time tokens by that key.
peer_jwk_provisioner() {
  printf '{"type": "JWK", "name": "bench", "key": %s,\n       "claims": {"defaultTLSCertDuration": "2160h", "maxTLSCertDuration": "2160h"}}' "$(cat "$1")"
}

# peer_step_ca_configuration FOLDER PORT badger|postgresql PROVISIONER: no request log, one provisioner, in JSON.
peer_step_ca_configuration() {
  local folder="$1" database
  case "$3" in
    badger) database="{\"type\": \"badgerv2\", \"dataSource\": \"$folder/badger\"}" ;;
    postgresql) database="{\"type\": \"postgresql\", \"dataSource\": \"$(peer_database_url "$folder")\", \"database\": \"sluice\"}" ;;
  esac
  cat >"$folder/ca.json" <<JSON
{
  "root": "$folder/root.pem",
  "crt": "$folder/issuing.pem",
  "key": "pkcs11:id=01;object=issuing",
  "kms": {"type": "pkcs11", "uri": "pkcs11:module-path=$(find_softhsm);token=sluice-issuing?pin-source=$folder/secrets/issuing.pin"},
  "address": "127.0.0.1:$2",
  "dnsNames": ["localhost"],
  "db": $database,
  "authority": {
    "provisioners": [
      $4
    ]
  },
  "tls": {"minVersion": 1.2, "maxVersion": 1.3, "renegotiation": false}
}
JSON
}

# peer_cfssl_configuration FOLDER: one profile, requests with an HMAC.
peer_cfssl_configuration() {
  printf '{"driver": "postgres", "data_source": "%s"}\n' "$(peer_database_url "$1")" >"$1/database.json"
  random_hex >"$1/hmac.key"
  cat >"$1/cfssl.json" <<JSON
{
  "signing": {
    "default": {
      "usages": ["digital signature", "server auth"],
      "expiry": "2160h",
      "backdate": "5m",
      "auth_key": "bench"
    }
  },
  "auth_keys": {"bench": {"type": "standard", "key": "file:$1/hmac.key"}}
}
JSON
}
