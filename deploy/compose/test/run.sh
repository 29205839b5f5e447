#!/usr/bin/env bash
# Tests of the containers: images made of this checkout, PostgreSQL, token and two nodes brought up by one command,
# certificates from outside, a node killed, a node stopped, everything stopped and started again. They need a Docker
# engine: one that answers, or, with --engine, Debian's in a network namespace of its own (root; a first time takes
# minutes). Each test is a function test_…; `run.sh PATTERN` runs those whose names match.
set -uo pipefail

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
ROOT="$(cd "$HERE/../../.." && pwd)"
SLUICE="$ROOT/sluice"
TOOLS="$ROOT/target/tools"
OWN_ENGINE=no
if [ "${1:-}" = --engine ]; then
  OWN_ENGINE=yes
  shift
fi
PATTERN="${1:-.}"
WORK="$(mktemp -d)"
PROJECT="sluice-test-$$"
TAG="test-$$"
WHY=''
export LC_ALL=C
# shellcheck source=/dev/null
source "$HERE/engine.sh"

finish() {
  trap '' INT TERM
  if [ -n "${UP:-}" ]; then
    compose down --volumes --timeout 10 --remove-orphans >/dev/null 2>&1
    docker image rm "sluice-node:$TAG" "sluice-trial:$TAG" "sluice-database:$TAG" "sluice-prometheus:$TAG" >/dev/null 2>&1
  fi
  engine_stop
  rm -rf --one-file-system "$WORK"
}
trap finish EXIT
trap 'exit 1' INT TERM
# shellcheck source=/dev/null
source "$HERE/../../local/test/runner.sh"

# --- What needs no engine ---------------------------------------------------------------------------

test_trial_isGivenThePartsThatItSources() {
  local given sourced
  given="$(sed -n "s/^readonly COMPOSE_TRIAL_PARTS='\(.*\)'$/\1/p" "$ROOT/deploy/local/compose.sh")"
  sourced="$(sed -n 's/^for part in \(.*\); do$/\1/p' "$HERE/../trial.sh")"
  [ -n "$given" ] && [ "$given" = "$sourced" ] || fail "given '$given', sourced '$sourced'"
}

# not_given TRIAL: the launcher's options that the parts in it read and it does not set: each would end the trial.
not_given() {
  local part
  for part in $(sed -n 's/^for part in \(.*\); do$/\1/p' "$1"); do
    grep -oE 'OPTION\[[a-z-]+\]' "$ROOT/deploy/local/$part.sh"
  done | sed 's/^OPTION//' | sort -u | while IFS= read -r part; do
    grep -qF "$part=" "$1" || printf '%s ' "$part"
  done
}

test_trial_setsTheOptionsThatItsPartsRead_plantedIsFound() {
  [ -z "$(not_given "$HERE/../trial.sh")" ] || fail "not set: $(not_given "$HERE/../trial.sh")" || return 1
  sed 's/\[service-url\]=[^ ]*//' "$HERE/../trial.sh" >"$WORK/trial.sh"
  [ "$(not_given "$WORK/trial.sh")" = '[service-url] ' ] || fail "found '$(not_given "$WORK/trial.sh")'"
}

test_compose_withoutEngine_saysSo() {
  local said status=0
  said="$(PATH="$(without_docker)" "$SLUICE" compose up 2>&1)" || status=$?
  [ "$status" -eq 3 ] && [[ "$said" == *docker* ]] || fail "status $status: $said"
}

# A stand-in for docker that names one digest for each image.
test_compose_pin_writesDigestsThatComposeReads() {
  local tree="$WORK/pin" said
  mkdir -p "$tree/bin"
  cp -r "$ROOT/sluice" "$ROOT/deploy" "$tree/" || return 1
  rm -f "$tree/deploy/compose/.env" "$tree/deploy/compose/base-image"
  printf '#!/bin/sh\n[ "$1 $2 $3" = "buildx imagetools inspect" ] && printf "\\"sha256:%%064d\\"\\n" 7\n' >"$tree/bin/docker"
  chmod +x "$tree/bin/docker"
  said="$(PATH="$tree/bin:$PATH" "$tree/sluice" compose pin 2>&1)" || { fail "$said"; return 1; }
  [ "$(grep -c '@sha256:0*7$' "$tree/deploy/compose/.env")" -eq 3 ] || fail "$(cat "$tree/deploy/compose/.env")" || return 1
  [ "$(cat "$tree/deploy/compose/base-image")" = "docker.io/library/debian:12-slim@sha256:$(printf '%064d' 7)" ] || fail "$(cat "$tree/deploy/compose/base-image")" || return 1
  grep -q '^SLUICE_DATABASE_IMAGE=docker.io/library/postgres:18@sha256:' "$tree/deploy/compose/.env" || fail "no database" || return 1
  printf '#!/bin/sh\necho "unauthorized"; exit 1\n' >"$tree/bin/docker"
  said="$(PATH="$tree/bin:$PATH" "$tree/sluice" compose pin 2>&1)" && { fail "a registry that refuses is success"; return 1; }
  [[ "$said" == *'names no digest of docker.io/library/postgres:18: unauthorized'* ]] || fail "$said"
}

# A PATH of links to everything but docker.
without_docker() {
  local folder program
  mkdir -p "$WORK/bin"
  for folder in /bin /usr/bin; do
    for program in "$folder"/*; do
      [ "${program##*/}" = docker ] || ln -sf "$program" "$WORK/bin/${program##*/}"
    done
  done
  printf '%s' "$WORK/bin"
}

# --- What needs one ---------------------------------------------------------------------------------

compose() { SLUICE_TRIAL_IMAGE="sluice-trial:$TAG" docker compose --project-name "$PROJECT" --file "$HERE/../compose.yaml" "$@"; }
at_node() { timeout 60 "${ENGINE_IN[@]}" "$@"; }

# The trial that all tests share: brought up once, by the command that users have.
is_up() {
  [ -z "${UP:-}" ] || return 0
  [ -z "$WHY" ] || { skip "$WHY"; return 1; }
  if [ "$OWN_ENGINE" = no ] && ! timeout 20 docker version --format '{{.Server.Version}}' >/dev/null 2>&1; then
    WHY="no Docker engine answers (run.sh --engine starts one)"
  elif ! engine_start; then
    :
  elif ! timeout 20 docker compose version >/dev/null 2>&1; then
    WHY="docker has no compose"
  fi
  [ -z "$WHY" ] || { skip "$WHY"; return 1; }
  UP=begun
  make_images >"$WORK/images.log" 2>&1 || { fail "no images: $(tail -n 3 "$WORK/images.log")"; exit 1; }
  free_ports
  local begun=$SECONDS
  sluice_up >"$WORK/up.log" 2>&1 || { tail -n 40 "$WORK/up.log" >&2; compose logs --tail 20 >&2; exit 1; }
  printf '    up after %s s\n' "$((SECONDS - begun))"
}

sluice_up() {
  timeout 900 "${ENGINE_IN[@]}" "$SLUICE" compose up --data "$WORK/data" --project "$PROJECT" --tag "$TAG" "${BASE[@]}"
}

# With a registry the images of production; without one, what Debian and Maven Central have.
make_images() {
  BASE=()
  [ -n "$ENGINE_PID" ] || return 0
  BASE=(--base "sluice-base:$TAG")
  engine_base_image "sluice-base:$TAG" && engine_database "sluice-base:$TAG" "sluice-database:$TAG" || return
  export SLUICE_DATABASE_IMAGE="sluice-database:$TAG"
}

free_ports() {
  local name port=$((20000 + RANDOM % 10000))
  for name in SLUICE_PORT_0 SLUICE_PORT_1 SLUICE_HTTP_PORT_0 SLUICE_HTTP_PORT_1; do
    while at_node bash -c "exec 3<>/dev/tcp/127.0.0.1/$port" 2>/dev/null; do port=$((port + 1)); done
    export "$name=$port"
    port=$((port + 1))
  done
  export SLUICE_PUBLIC_URL="http://localhost:$SLUICE_HTTP_PORT_0"
}

# enroll PORT NAME: a certificate from outside, verified by OpenSSL.
enroll() {
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$WORK/$2.key" -out "$WORK/$2.csr" \
    -subj "/CN=$2.example.com" -addext "subjectAltName=DNS:$2.example.com" 2>/dev/null || return
  at_node "$SLUICE" enroll --data "$WORK/data" --url "https://localhost:$1" --wait 30 --profile tls-server \
    --csr "$WORK/$2.csr" --out "$WORK/$2.pem" >"$WORK/enroll.log" 2>&1 || { fail "not enrolled: $(tail -n 2 "$WORK/enroll.log")"; return; }
  openssl verify -x509_strict -CAfile "$WORK/data/root.pem" -untrusted "$WORK/data/chain.pem" "$WORK/$2.pem" >/dev/null ||
    fail "OpenSSL does not verify $2"
}

container() { compose ps --all --quiet "$1"; }
state_of() { docker inspect --format "$2" "$(container "$1")"; }

await() {
  local what="$1" tries
  shift
  for ((tries = 0; tries < 240; tries++)); do
    ! "$@" || return 0
    sleep 0.5
  done
  fail "not in two minutes: $what"
}

is_healthy() { [ "$(state_of "$1" '{{.State.Health.Status}}')" = healthy ]; }

test_1_up_bothNodesIssueWhatOpensslVerifies() {
  is_up || return 0
  printf '    image of a node: %s MiB\n' "$(($(docker image inspect --format '{{.Size}}' "sluice-node:$TAG") / 1048576))"
  enroll "$SLUICE_PORT_0" first && enroll "$SLUICE_PORT_1" second
}

in_node() { compose exec -T node-0 "$@" 2>/dev/null; }

# Its endpoint of ACME is served by both, under the one URL.
test_1_acme_endpointOfTheTrial_isServed() {
  is_up || return 0
  local directory port
  directory="$(jq -r .directory "$WORK/data/acme-eab.json")"
  [ "$directory" = "https://localhost:$SLUICE_PORT_0/acme/trial/directory" ] || fail "$directory" || return
  for port in "$SLUICE_PORT_0" "$SLUICE_PORT_1"; do
    [[ "$(at_node curl -sS --max-time 20 --cacert "$WORK/data/root.pem" "https://localhost:$port/acme/trial/directory" | jq -r .newOrder)" == "https://localhost:$SLUICE_PORT_0/acme/trial/"* ]] ||
      fail "no directory at $port" || return
  done
}

test_2_node_runsAsNobodyAndSeesItsOwnAlone() {
  is_up || return 0
  [ "$(docker inspect --format '{{.Config.User}}' "sluice-node:$TAG")" = 10001:10001 ] && [ "$(in_node id -u)" = 10001 ] || fail "runs as another" || return
  in_node touch /var/lib/sluice/x || fail "cannot write its state" || return
  ! in_node touch /usr/lib/sluice/x || fail "can write what it runs" || return
  ! in_node test -e /data/secrets || fail "sees the ceremony's secrets" || return
  [ -z "$(in_node ls -A /credentials/database)" ] || fail "sees the database's passwords"
}

test_2_node_runsWithItsStartUpCache() {
  is_up || return 0
  in_node grep -q '/usr/lib/sluice/ca-api.aot$' /proc/1/maps || fail "it was not taken"
}

test_3_image_holdsNoSecret() {
  is_up || return 0
  local secret
  for secret in $(compose run --rm --no-deps --no-TTY --entrypoint cat ceremony /data/secrets/issuing.pin /data/secrets/root.pin /data/secrets/database.password </dev/null); do
    ! docker save "sluice-trial:$TAG" | tar -xO | grep -qaF "$secret" || fail "a secret is in the image" || return
    ! compose logs 2>/dev/null | grep -qF "$secret" || fail "a secret is in the logs" || return
  done
  [ -n "${secret:-}" ] || fail "no secret was read"
}

test_4_metrics_tellOfIssuance() {
  is_up || return 0
  local metrics name
  # shellcheck disable=SC2016 # the container's shell
  metrics="$(compose exec -T node-0 bash -c 'exec 3<>/dev/tcp/127.0.0.1/8180; printf "GET /actuator/prometheus HTTP/1.0\r\nHost: localhost\r\n\r\n" >&3; cat <&3')"
  for name in ca_issued_total process_cpu_usage; do
    grep -q "^$name" <<<"$metrics" || fail "no $name" || return
  done
  printf '    resident memory of node-0: %s MiB\n' "$(awk '/^VmRSS/ { printf "%d", $2 / 1024 }' "/proc/$(state_of node-0 '{{.State.Pid}}')/status")"
}

test_5_prometheus_seesBothNodesAndItsRules() {
  is_up || return 0
  [ -x "$TOOLS/bin/prometheus" ] || { skip "no Prometheus in target/tools"; return 0; }
  local rules
  mkdir -p "$WORK/prometheus"
  cp "$TOOLS/bin/prometheus" "$WORK/prometheus/"
  printf 'FROM %s\nCOPY prometheus /bin/prometheus\nRUN mkdir /prometheus && chown 65534:65534 /prometheus\nUSER 65534:65534\nENTRYPOINT ["/bin/prometheus", "--config.file=/etc/prometheus/prometheus.yml", "--storage.tsdb.path=/prometheus"]\n' \
    "sluice-trial:$TAG" >"$WORK/prometheus/Containerfile"
  sed -i '2i USER 0:0' "$WORK/prometheus/Containerfile"
  docker build -q -f "$WORK/prometheus/Containerfile" -t "sluice-prometheus:$TAG" "$WORK/prometheus" >/dev/null || fail "no image" || return
  SLUICE_PROMETHEUS_IMAGE="sluice-prometheus:$TAG" compose --file "$HERE/../monitoring.yaml" up --detach --no-deps prometheus >"$WORK/prometheus.log" 2>&1 ||
    fail "$(tail -n 3 "$WORK/prometheus.log")" || return
  await "Prometheus sees two nodes" sees_both_nodes || { docker logs "$PROJECT-prometheus-1" 2>&1 | tail -n 5 >&2; return 1; }
  rules="$(at_node curl -sf http://127.0.0.1:9090/api/v1/rules | grep -o '"type":"alerting"' | wc -l)"
  docker rm --force "$PROJECT-prometheus-1" >/dev/null
  [ "$rules" -gt 30 ] || fail "$rules alerts"
}

sees_both_nodes() { [[ "$(at_node curl -sfG --data-urlencode 'query=sum(up{job="sluice"})' http://127.0.0.1:9090/api/v1/query)" == *',"2"]'* ]]; }

test_6_killedNode_theOtherServesAndItComesBack() {
  is_up || return 0
  local pid
  pid="$(state_of node-0 '{{.State.Pid}}')"
  kill -s KILL "$pid"
  enroll "$SLUICE_PORT_1" survivor || return
  await "node-0 is back" is_back "$pid" && enroll "$SLUICE_PORT_0" returned
}

is_back() { [ "$(state_of node-0 '{{.State.Pid}}')" != "$1" ] && is_healthy node-0; }

test_7_stoppedNode_servesOnThroughItsNoticeAndEndsWell() {
  is_up || return 0
  local stopping code begun=$SECONDS
  compose stop node-1 >/dev/null 2>&1 &
  stopping=$!
  await "node-1 is not ready any more" refuses_readiness node-1
  code="$(at_node curl -sk --max-time 10 -D "$WORK/headers" -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $(cat "$WORK/data/enroll.token")" "https://localhost:$SLUICE_PORT_1/v1/capacity")"
  wait "$stopping"
  [ "$code" = 200 ] && grep -qi '^connection: close' "$WORK/headers" || fail "answered $code during its notice: $(cat "$WORK/headers")" || return
  [ "$(state_of node-1 '{{.State.ExitCode}}')" = 143 ] || fail "ended with $(state_of node-1 '{{.State.ExitCode}}')" || return
  printf '    stopped in %s s\n' "$((SECONDS - begun))"
  compose start node-1 >/dev/null 2>&1
  await "node-1 is back" is_healthy node-1 && enroll "$SLUICE_PORT_1" again
}

refuses_readiness() { ! compose exec -T "$1" /usr/lib/sluice/ready 2>/dev/null; }

test_8_downAndUp_nothingIsLost() {
  is_up || return 0
  local serial
  serial="$(openssl x509 -in "$WORK/first.pem" -noout -serial | cut -d= -f2)"
  "${ENGINE_IN[@]}" "$SLUICE" compose down --data "$WORK/data" --project "$PROJECT" >"$WORK/down.log" 2>&1 || fail "$(tail -n 2 "$WORK/down.log")" || return
  [ -z "$(docker ps --quiet --filter "label=com.docker.compose.project=$PROJECT")" ] || fail "containers run on" || return
  cp "$WORK/data/root.pem" "$WORK/root.before"
  sluice_up >"$WORK/up.log" 2>&1 || fail "$(tail -n 3 "$WORK/up.log")" || return
  cmp -s "$WORK/root.before" "$WORK/data/root.pem" || fail "another root" || return
  at_node "$SLUICE" get "${serial,,}" --data "$WORK/data" --url "https://localhost:$SLUICE_PORT_1" >"$WORK/got.pem" 2>"$WORK/get.log" || fail "$(cat "$WORK/get.log")" || return
  [ "$(openssl x509 -in "$WORK/got.pem" -noout -fingerprint -sha256)" = "$(openssl x509 -in "$WORK/first.pem" -noout -fingerprint -sha256)" ] || fail "another certificate"
}

test_9_planted_nodeWithoutItsCredentials_isNeverReady() {
  is_up || return 0
  local container status=0
  container="$(docker run --detach --read-only --tmpfs /tmp --tmpfs /var/lib/sluice:uid=10001,gid=10001,mode=0700 --env SLUICE_DATABASE_URL=jdbc:postgresql://127.0.0.1/none \
    --env SLUICE_HSM_MODULE=/usr/lib/softhsm/libsofthsm2.so --env SLUICE_HSM_TOKEN_LABEL=none --env SLUICE_HSM_PIN_FILE=/credentials/node/hsm-pin \
    --env SLUICE_DATABASE_PASSWORD_FILE=/credentials/node/database-password "sluice-trial:$TAG")" || fail "did not start" || return
  docker exec "$container" /usr/lib/sluice/ready 2>/dev/null && status=ready
  timeout 120 docker wait "$container" >"$WORK/code"
  [ "$status" = 0 ] && [ "$(cat "$WORK/code")" != 0 ] || fail "ready: $status, ended with $(cat "$WORK/code")" || return
  docker logs "$container" 2>&1 | grep -q 'database-password' || fail "said: $(docker logs "$container" 2>&1 | tail -n 2)" || return
  docker rm "$container" >/dev/null
}

run_tests "$PATTERN"
