#!/usr/bin/env bash
# Tests of the OpenAPI document by those who use it: openapi-generator makes a client of it in four languages, each is
# compiled, and the example of deploy/openapi/examples runs with it against a service.
# `run.sh [--url URL --ca-file FILE --token-file FILE] [PATTERN]` runs the tests whose names match. The token is that of a
# requester who may use the profile tls-server. Without a URL a trial is started, and stopped at the end. Everything that
# is generated is left in target/openapi-clients. Missing packages are installed as the launcher does it; needs a network
# for the registries of Maven, Python, npm and Go.
set -uo pipefail

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
ROOT="$(readlink -f "$HERE/../../..")"
EXAMPLES="$ROOT/deploy/openapi/examples"
DOCUMENT="$ROOT/ca-api/src/main/resources/openapi.json"
MADE="$ROOT/target/openapi-clients"
readonly GENERATOR_VERSION=7.25.0
readonly TYPESCRIPT_VERSION=5.9.3
readonly NODE_TYPES_VERSION=20.19.0
readonly GENERATOR="$MADE/openapi-generator-cli-$GENERATOR_VERSION.jar"
# A compiler with an empty cache on a busy machine; a generator takes five seconds on an idle one.
readonly BUILD_SECONDS=900
readonly GENERATE_SECONDS=300
readonly EXAMPLE_SECONDS=120
# What the generator says of each OpenAPI 3.1 document; of the security scheme mutualTLS, which it does not know (a client
# certificate is a setting of each language's TLS); of inline schemas; of free-form objects; of a body's example.
readonly KNOWN_NOISE='OpenAPI 3\.1 support is still in beta|Unknown type `mutualTLS` found|Failed to get the schema name: null|Codegen property is null \(e\.g\. map/dict of undefined type\)|Ignoring complex example on request body'
URL='' CA_FILE='' TOKEN_FILE='' PATTERN='.'
PASSED=0
FAILED=0

usage() { echo 'usage: run.sh [--url URL --ca-file FILE --token-file FILE] [PATTERN]' >&2; exit 2; }
while [ $# -gt 0 ]; do
  case "$1" in
    --url | --ca-file | --token-file)
      [ -n "${2:-}" ] || usage
      case "$1" in
        --url) URL="${2%/}" ;;
        --ca-file) CA_FILE="$(realpath -m -- "$2")" ;;
        --token-file) TOKEN_FILE="$(realpath -m -- "$2")" ;;
      esac
      shift 2
      ;;
    -*) usage ;;
    *) [ $# -eq 1 ] || usage; PATTERN="$1"; shift ;;
  esac
done
if [ -n "$URL$CA_FILE$TOKEN_FILE" ]; then
  [ -n "$URL" ] && [ -r "$CA_FILE" ] && [ -r "$TOKEN_FILE" ] || usage
fi

# Nothing of the caller's settings may reach the node. The distribution may be named, as for ./sluice itself.
DIST="${SLUICE_DIST:-}"
for variable in $(compgen -e SLUICE_ || true); do
  unset "$variable"
done
[ -z "$DIST" ] || export SLUICE_DIST="$DIST"
export SLUICE_CONFIG=/dev/null
SLUICE_ROOT="$ROOT"
for part in common prerequisites; do
  # shellcheck source=/dev/null
  source "$ROOT/deploy/local/$part.sh"
done
WORK="$(mktemp -d)"

finish() {
  [ -z "$LONG_CHILD" ] || kill -s TERM "$LONG_CHILD" 2>/dev/null
  [ ! -d "$WORK/data" ] || "$ROOT/sluice" down --data "$WORK/data" >/dev/null 2>&1
  rm -rf "$WORK"
}
trap finish EXIT
trap 'exit 1' INT TERM

fail() { printf '    %s\n' "$*" >&2; return 1; }

# bounded SECONDS LOG COMMAND…: its output goes to LOG; of a failure the end is shown.
bounded() {
  local seconds="$1" log="$2"
  shift 2
  run_long "$log" timeout -k 10 "$seconds" "$@" || fail "$1 failed, see $log: $(grep -iE 'error|fail' "$log" | head -n 3 | cut -c 1-300)"
}

# --- The generator ------------------------------------------------------------------------------------

# By its Maven coordinates, so that a mirror in settings.xml and the local repository serve it too.
fetch_generator() {
  [ ! -s "$GENERATOR" ] || return 0
  bounded "$BUILD_SECONDS" "$MADE/generator.log" "$ROOT/mvnw" -B -ntp -q -N -f "$ROOT/pom.xml" \
    org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy -DoutputDirectory="$MADE" \
    -Dartifact="org.openapitools:openapi-generator-cli:$GENERATOR_VERSION"
}

# generate DOCUMENT FOLDER OPTIONS…: with validation, which is the generator's default.
generate() {
  local document="$1" folder="$MADE/$2"
  fetch_generator || return 1
  rm -rf "$folder" && mkdir -p "$folder" || return 1
  bounded "$GENERATE_SECONDS" "$folder.log" "$JAVA_HOME/bin/java" -jar "$GENERATOR" generate \
    -i "$document" -o "$folder" --global-property apiTests=false,modelTests=false "${@:3}"
}

# complaints LOG: what the generator says that it does not say of each such document.
complaints() { grep -E '^\[[a-zA-Z0-9-]+\] (WARN|ERROR) |^Exception|^[[:space:]]+at ' "$1" | grep -vE "$KNOWN_NOISE" | head -n 5; }

expect_no_complaint() {
  local found
  found="$(complaints "$1")"
  [ -z "$found" ] || fail "the generator complains: $found"
}

generate_go() {
  generate "$1" "$2" -g go --git-host example.org --git-user-id sluice --git-repo-id client \
    --additional-properties=packageName=sluice
}

# --- The service --------------------------------------------------------------------------------------

# Ranges below those that PostgreSQL and outgoing connections get.
choose_ports() {
  local port tries
  for ((tries = 0; tries < 50; tries++)); do
    PORT=$((10000 + RANDOM % 9600))
    for port in "$PORT" $((PORT + 100)) $((PORT + 200)); do
      ! port_is_busy "$port" || continue 2
    done
    return 0
  done
  fail "no free ports"
}

need_service() {
  [ -z "$URL" ] || return 0
  choose_ports || return 1
  bounded "$BUILD_SECONDS" "$WORK/up.log" "$ROOT/sluice" up --detach --data "$WORK/data" --port "$PORT" \
    --http-port $((PORT + 100)) --management-port $((PORT + 200)) || { tail -n 3 "$WORK/up.log" >&2; return 1; }
  URL="https://localhost:$PORT"
  CA_FILE="$WORK/data/root.pem"
  TOKEN_FILE="$WORK/data/enroll.token"
}

# example NAME COMMAND…: its output has one line of each step, and the serial that was issued was found.
example() {
  local language="$1" serial
  shift
  bounded "$EXAMPLE_SECONDS" "$MADE/$language-example.log" "$@" || { tail -n 5 "$MADE/$language-example.log" >&2; return 1; }
  serial="$(sed -n 's/^issued \([0-9a-f]\{38\}\)$/\1/p' "$MADE/$language-example.log")"
  [ -n "$serial" ] && [ "$(grep -v '^WARNING' "$MADE/$language-example.log")" = "issued $serial
found $serial valid
problem 404 /problems/not-found" ] || fail "it prints $(tr '\n' ';' <"$MADE/$language-example.log")"
}

# csr LANGUAGE: a request for a name of its own; the file is named like it.
csr() {
  local name
  name="$1-$(random_hex | cut -c 1-8).example.com"
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$WORK/key" -out "$WORK/$name.csr" \
    -subj "/CN=$name" -addext "subjectAltName=DNS:$name" 2>/dev/null || fail "no request" || return 1
  printf '%s/%s.csr' "$WORK" "$name"
}

# --- Tests --------------------------------------------------------------------------------------------

test_python_generatesAndRuns() {
  local csr
  require_tools python3:python3
  python3 -c 'import ensurepip' 2>/dev/null || install_packages python3-venv
  generate "$DOCUMENT" python -g python --package-name sluice_client && expect_no_complaint "$MADE/python.log" || return 1
  rm -rf "$MADE/python-venv"
  bounded "$BUILD_SECONDS" "$MADE/python-build.log" python3 -m venv "$MADE/python-venv" &&
    bounded "$BUILD_SECONDS" "$MADE/python-build.log" "$MADE/python-venv/bin/pip" install -q --disable-pip-version-check "$MADE/python" &&
    bounded "$BUILD_SECONDS" "$MADE/python-build.log" "$MADE/python-venv/bin/python" -m compileall -q "$MADE/python/sluice_client" || return 1
  need_service && csr="$(csr python)" || return 1
  example python "$MADE/python-venv/bin/python" -B "$EXAMPLES/python/enroll.py" "$URL" "$CA_FILE" "$TOKEN_FILE" "$csr"
}

# typescript-fetch alone generates sources that need no package: axios would be one more to keep current.
test_typescript_generatesAndRuns() {
  local csr folder="$MADE/typescript"
  require_tools node:nodejs npm:npm
  generate "$DOCUMENT" typescript/client -g typescript-fetch && expect_no_complaint "$folder/client.log" || return 1
  cp "$EXAMPLES/typescript/enroll.ts" "$folder/" || return 1
  bounded "$BUILD_SECONDS" "$folder/build.log" npm install --prefix "$folder" --no-audit --no-fund --no-save \
    "typescript@$TYPESCRIPT_VERSION" "@types/node@$NODE_TYPES_VERSION" &&
    bounded "$BUILD_SECONDS" "$folder/build.log" "$folder/node_modules/.bin/tsc" --strict --target es2022 --module commonjs \
      --moduleResolution node10 --types node --typeRoots "$folder/node_modules/@types" --outDir "$folder/out" "$folder/enroll.ts" || return 1
  need_service && csr="$(csr typescript)" || return 1
  example typescript env NODE_EXTRA_CA_CERTS="$CA_FILE" node "$folder/out/enroll.js" "$URL" "$TOKEN_FILE" "$csr"
}

# go_build FOLDER: the generated client.
go_build() { bounded "$BUILD_SECONDS" "$1-build.log" env -C "$1" GOFLAGS=-mod=mod go build ./...; }

test_go_generatesAndRuns() {
  local csr folder="$MADE/go-example"
  require_tools go:golang-go
  generate_go "$DOCUMENT" go && expect_no_complaint "$MADE/go.log" && go_build "$MADE/go" || return 1
  rm -rf "$folder" && mkdir -p "$folder" && cp "$EXAMPLES/go/enroll.go" "$folder/" || return 1
  # As a user has it whose module requires the client, from a folder.
  printf 'module example.org/enroll\n\ngo 1.23\n\nrequire example.org/sluice/client v0.0.0\n\nreplace example.org/sluice/client => %s\n' \
    "$MADE/go" >"$folder/go.mod"
  bounded "$BUILD_SECONDS" "$folder.log" env -C "$folder" GOFLAGS=-mod=mod go build -o enroll . || return 1
  need_service && csr="$(csr go)" || return 1
  example go "$folder/enroll" "$URL" "$CA_FILE" "$TOKEN_FILE" "$csr"
}

test_java_generatesAndRuns() {
  local csr
  generate "$DOCUMENT" java -g java --library native --invoker-package org.sluiceca.generated \
    --api-package org.sluiceca.generated.api --model-package org.sluiceca.generated.model \
    --artifact-id sluice-generated-client && expect_no_complaint "$MADE/java.log" || return 1
  # The package puts its dependencies into target/lib.
  bounded "$BUILD_SECONDS" "$MADE/java-build.log" "$ROOT/mvnw" -B -ntp -q -f "$MADE/java/pom.xml" \
    -Dmaven.test.skip=true -Dmaven.javadoc.skip=true -Dmaven.source.skip=true package || return 1
  need_service && csr="$(csr java)" || return 1
  example java "$JAVA_HOME/bin/java" -cp "$MADE/java/target/*:$MADE/java/target/lib/*" "$EXAMPLES/java/Enroll.java" \
    "$URL" "$CA_FILE" "$TOKEN_FILE" "$csr"
}

# What broke Go's client before: it takes the length of a file for that of a text.
test_planted_lengthOfOctets_breaksGo() {
  require_tools go:golang-go jq:jq
  jq '.paths["/ocsp"].post.requestBody.content["application/ocsp-request"].schema.maxLength = 65536' "$DOCUMENT" \
    >"$WORK/planted.json" && generate_go "$WORK/planted.json" planted || return 1
  ! go_build "$MADE/planted" 2>/dev/null || fail "it compiles: the rule in OpenApiTest is needed no more" || return 1
  grep -q 'in argument to strlen' "$MADE/planted-build.log" || fail "it fails otherwise: $(head -n 3 "$MADE/planted-build.log")"
}

test_planted_complaint_isFound() {
  local line
  for line in '[main] ERROR o.o.codegen.DefaultCodegen - Unknown type `telepathy` found in the security definition `null`.' \
    '[main] WARN  o.o.codegen.X - Something new' 'Exception in thread "main" java.lang.RuntimeException: Could not process model'; do
    printf '%s\n' '[main] INFO  o.o.codegen.TemplateManager - writing file ApiException.java' "$line" >"$WORK/planted.log"
    [ -n "$(complaints "$WORK/planted.log")" ] || fail "not found: $line" || return 1
    ! grep -q INFO <<<"$(complaints "$WORK/planted.log")" || fail "a file that is written is no complaint" || return 1
  done
}

# --- Run ------------------------------------------------------------------------------------------------

mkdir -p "$MADE" || exit 1
require_tools curl:curl openssl:openssl awk:mawk
require_jdk
mapfile -t TESTS < <(grep -oE '^test_[A-Za-z0-9_]+' "${BASH_SOURCE[0]}" | grep -E -- "$PATTERN")
for name in "${TESTS[@]}"; do
  if "$name"; then
    PASSED=$((PASSED + 1)) verdict='ok  '
  else
    FAILED=$((FAILED + 1)) verdict=FAIL
  fi
  printf '%s %s\n' "$verdict" "${name#test_}"
done
printf '%s passed, %s failed\n' "$PASSED" "$FAILED"
[ "$FAILED" -eq 0 ]
