# shellcheck shell=bash
# The nightly tests of package.sh: two nodes of an earlier package become nodes of this one, one after the other, under load;
# and a package takes over a database of the previous release. PACKAGE_UPGRADE_FROM names the earlier Debian package, such as
# that of a release candidate; without it the same files under a lower version. There is no systemd in it: dpkg's requests
# to the service manager are done by this script, by the unit. Sourced.

# Two machines: the folder of each, and the process of its node.
declare -A NODE=()
FRONT_PID=''
readonly LOAD_CLIENTS=3
# None of an earlier version has another's start-up cache.
NODE_OPTIONS=''

say() { printf '    %s\n' "$*"; }

end_upgrade() {
  local pid
  rm -f "$WORK/go-on"
  for pid in "${NODE[@]}" $FRONT_PID; do
    [ -z "$pid" ] || kill -s KILL "$pid" 2>/dev/null
  done
  [ ! -d "$WORK/old/data" ] || "$PREVIOUS/tree/sluice" down --data "$WORK/old/data" >/dev/null 2>&1
}

# on MACHINE COMMAND…: with its root and its node.
on() {
  local machine="$1" status=0
  shift
  ROOT="$WORK/machine-$machine" NODE_PID="${NODE[$machine]:-}"
  "$@" || status=$?
  NODE[$machine]="$NODE_PID" NODE_PID=''
  return "$status"
}

# The earlier package, in $WORK/earlier.deb.
earlier() {
  [ ! -s "$WORK/earlier.deb" ] || return 0
  if [ -n "${PACKAGE_UPGRADE_FROM:-}" ]; then
    cp "$PACKAGE_UPGRADE_FROM" "$WORK/earlier.deb"
    return
  fi
  local version folder="$WORK/earlier"
  version="$(dpkg-deb --field "$(package '*.deb')" Version)"
  dpkg-deb --raw-extract "$(package '*.deb')" "$folder" && sed -i "s/^Version: .*/Version: ${version%%~*}~a/" "$folder/DEBIAN/control" &&
    dpkg-deb -Zgzip -z1 --root-owner-group --build "$folder" "$WORK/earlier.deb" >/dev/null && rm -rf "$folder"
}

version_of() { dpkg-deb --field "$1" Version; }

# A service manager that has this script stop and start the node, and waits until it is done.
with_requests() {
  local folder="$ROOT/run/systemd/system"
  mkdir -p "$folder" && chmod 755 "$ROOT/run" "$ROOT/run/systemd" "$folder" && mkfifo "$ROOT/run/requests" "$ROOT/run/answers" || return 1
  printf '#!/bin/sh\ncase "$*" in *ActiveState*) echo active ;; esac\n' >"$ROOT/usr/local/bin/systemctl"
  # shellcheck disable=SC2016 # the text of the program
  printf '#!/bin/sh\necho "$1" >/run/requests && read -r answer </run/answers && [ "$answer" = done ]\n' >"$ROOT/usr/local/bin/deb-systemd-invoke"
  chmod 755 "$ROOT/usr/local/bin" "$ROOT/usr/local/bin/"{systemctl,deb-systemd-invoke}
}

# dpkg_replaces PORT DEB [OPTIONS…]: installs it over what runs; the node has stopped, by drain, and is ready again afterwards.
dpkg_replaces() {
  local port="$1" dpkg request answer asked='' status=0
  cp "$2" "$ROOT/new.deb" && chmod 644 "$ROOT/new.deb" || return 1
  inside dpkg "${@:3}" -i /new.deb >"$WORK/dpkg.log" 2>&1 </dev/null &
  dpkg=$!
  exec 5<>"$ROOT/run/requests"
  while kill -0 "$dpkg" 2>/dev/null; do
    read -r -t 1 -u 5 request || continue
    asked+="$request "
    answer='done'
    case "$request" in
      stop) end_node || answer=failed ;;
      start) start_node || answer=failed ;;
    esac
    timeout 60 sh -c 'echo "$1" >"$2"' sh "$answer" "$ROOT/run/answers" || break
  done
  exec 5<&-
  wait "$dpkg" || status=$?
  [ "$status" -eq 0 ] && [ "$asked" = 'stop start ' ] || fail "dpkg ended with $status, asked for '$asked': $(tail -n 3 "$WORK/dpkg.log")" || return 1
  await "$START_SECONDS" is_ready "$port" || fail "no node: $(tail -n 5 "$WORK/node.log")" || return 1
  STARTED_IN="$(seconds_since "$STARTED")"
}

# HAProxy, as docs/INSTALL.md has it.
front() {
  # shellcheck disable=SC2016 # expanded in the inner shell
  expect 0 launcher 'require_tools haproxy:haproxy' || return 1
  cat >"$WORK/haproxy.cfg" <<CONF
defaults
  mode tcp
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend enrollment
  bind 127.0.0.1:$FRONT
  default_backend nodes
backend nodes
  balance roundrobin
  option redispatch
  option httpchk GET /actuator/health/readiness
  http-check expect status 200
  default-server check inter 1s fall 2 rise 2
  server node-0 127.0.0.1:$PORT port $((PORT + 2))
  server node-1 127.0.0.1:$((PORT + 3)) port $((PORT + 5))
CONF
  PATH="$PATH:/usr/sbin" haproxy -db -f "$WORK/haproxy.cfg" >"$WORK/haproxy.log" 2>&1 </dev/null &
  FRONT_PID=$!
  await 30 asks
}

# asks: one certificate through the balancer; prints the status of the answer.
asks() {
  curl -sS -o "$WORK/answer.$BASHPID" -w '%{http_code}\n' --fail --noproxy '*' --max-time 40 --cacert "$WORK/client/root.pem" \
    -H "Authorization: Bearer $(cat "$WORK/client/enroll.token")" -H 'Content-Type: application/pkcs10' -H 'Accept: application/json' \
    --data-binary "@$WORK/client/csr" "https://localhost:$FRONT/v1/certificates?profile=tls-server"
}

# Until go-on is gone, and for ten minutes at most.
load() {
  local deadline=$((SECONDS + 600))
  while [ -e "$WORK/go-on" ] && ((SECONDS < deadline)); do
    asks >>"$WORK/answers" 2>>"$WORK/not-answered" || :
  done
}

begin_load() {
  local i
  : >"$WORK/go-on" && : >"$WORK/answers" && : >"$WORK/not-answered"
  LOAD=()
  for ((i = 0; i < LOAD_CLIENTS; i++)); do
    load &
    LOAD+=($!)
  done
}

end_load() {
  rm -f "$WORK/go-on"
  wait "${LOAD[@]}"
}

# comes_to PORT: the balancer, which takes two checks to believe that a node is back, gives it requests.
comes_to() { [ -n "$(ss -Htn state established "sport = :$1")" ]; }

# waits_at PORT: a request has come to that port, and its node, which is stopped, has not read it. Health checks go to another.
waits_at() { ss -Htn state established "sport = :$1" | awk '$1 > 0 { found = 1 } END { exit !found }'; }

no_request_failed() {
  [ ! -s "$WORK/not-answered" ] && ! grep -qv '^201$' "$WORK/answers" && [ "$(wc -l <"$WORK/answers")" -ge 20 ] ||
    fail "of $(wc -l <"$WORK/answers") answers: $(sort "$WORK/answers" | uniq -c | paste -sd' '), $(sort "$WORK/not-answered" | uniq -c | head -n 2 | paste -sd' ')"
}

# What an upgrade must not change, as one text. SoftHSM writes token.object at each login.
kept() {
  local name
  for name in a b; do
    (cd "$WORK/machine-$name" && find etc/sluice var/lib/sluice-hsm -type f ! -name '*.lock' ! -name token.object ! -name generation -exec sha256sum {} + | sort -k 2)
  done
}

# Each a machine of its own, with the token's files on both.
two_machines() {
  FRONT=$((PORT + 6))
  ROOT="$WORK/machine-a"
  clean_root && cp "$WORK/earlier.deb" "$ROOT/sluice.deb" && expect 0 inside dpkg -i /sluice.deb && tokens && setup_first_node || return 1
  mkdir -p "$WORK/client" && cp "$ROOT"/etc/sluice/ceremony/{root.pem,chain.pem,enroll.token} "$WORK/client/" || return 1
  ROOT="$WORK/machine-b"
  clean_root && cp "$WORK/earlier.deb" "$ROOT/sluice.deb" && expect 0 inside dpkg -i /sluice.deb &&
    cp -a "$WORK/machine-a/var/lib/sluice-hsm" "$ROOT/var/lib/" && cp -a "$WORK/machine-a/opt/given" "$ROOT/opt/" && setup_node second $((PORT + 3)) --no-calibrate || return 1
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$WORK/client/key" -subj /CN=www.example.com \
    -addext subjectAltName=DNS:www.example.com -out "$WORK/client/csr" 2>/dev/null
}

test_upgrade_twoNodesOneAfterTheOther_underLoad_noRequestFails() {
  has_root || { skip "needs root, namespaces and mmdebstrap"; return 0; }
  local deb from to first
  earlier && deb="$(package '*.deb')" && from="$(version_of "$WORK/earlier.deb")" && to="$(version_of "$deb")" || return 1
  dpkg --compare-versions "$from" lt "$to" || fail "$from is not lower than $to" || return 1
  D="$WORK/two" && mkdir -p "$D" && chmod 711 "$D" && database && choose_ports && two_machines || return 1
  on a ready_node "$PORT" && first="$STARTED_IN" && on b ready_node $((PORT + 3)) && on a with_requests && on b with_requests && front || return 1
  kept >"$WORK/kept"
  begin_load
  on a dpkg_replaces "$PORT" "$deb" && printf '    %s to %s: first start %s s, start after upgrade %s s' "$from" "$to" "$first" "$STARTED_IN" &&
    on b dpkg_replaces $((PORT + 3)) "$deb" && printf ' and %s s' "$STARTED_IN" || { end_load; return 1; }
  # Back by one version, and forward again.
  on a dpkg_replaces "$PORT" "$WORK/earlier.deb" --force-downgrade && on a dpkg_replaces "$PORT" "$deb" || { end_load; return 1; }
  end_load
  printf ', %s requests\n    package %s MB, installed %s MB\n' "$(wc -l <"$WORK/answers")" "$(($(stat -c %s "$deb") / 1000000))" "$(($(dpkg-deb --field "$deb" Installed-Size) / 1000))"
  no_request_failed || return 1
  cmp -s <(kept) "$WORK/kept" || fail "changed: $(diff <(kept) "$WORK/kept")" || return 1
  # The check finds a node that ends without a drain, while requests wait for it.
  begin_load
  await 30 comes_to "$PORT" && kill -s STOP "${NODE[a]}" && await 30 waits_at "$PORT" || { end_load; return 1; }
  kill -s KILL "${NODE[a]}" && wait "${NODE[a]}" 2>/dev/null
  await 60 test -s "$WORK/not-answered"
  end_load
  NODE[a]=''
  ! no_request_failed 2>/dev/null || fail "a killed node was not noticed" || return 1
  on b end_node
  kill -s TERM "$FRONT_PID" && wait "$FRONT_PID" 2>/dev/null
  FRONT_PID=''
  end_database
}

# A trial of the previous release has issued and is stopped; its PostgreSQL goes on alone.
old_database() {
  local answer
  mkdir -p "$WORK/old/client" && chmod 711 "$WORK/old" && previous_release || return 1
  env SLUICE_CONFIG=/dev/null SLUICE_DIST="$PREVIOUS/dist" "$PREVIOUS/tree/sluice" up --detach --data "$WORK/old/data" --port "$PORT" --http-port $((PORT + 1)) \
    --management-port $((PORT + 2)) >"$WORK/old/up.log" 2>&1 || fail "no start: $(tail -n 3 "$WORK/old/up.log")" || return 1
  D="$WORK/old/data" FRONT="$PORT"
  mkdir -p "$WORK/client" && cp "$D"/{root.pem,chain.pem,enroll.token} "$WORK/client/" &&
    openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$WORK/client/key" -subj /CN=old.example.com \
      -addext subjectAltName=DNS:old.example.com -out "$WORK/client/csr" 2>/dev/null || return 1
  answer="$(asks)" && [ "$answer" = 201 ] || fail "the previous release does not issue: $answer" || return 1
  "$PREVIOUS/tree/sluice" down --data "$D" >/dev/null 2>&1 || return 1
  rm -f "$D/postgres.port"
  database
}

# As an administrator who moves to the package: the token, the passwords, and settings by hand.
configured_by_hand() {
  local hsm="$ROOT/var/lib/sluice-hsm" module
  module="$(cd "$ROOT" && find usr/lib -name libsofthsm2.so | sed 1q)"
  mkdir -p "$hsm" && cp -r "$D/softhsm/issuing/tokens" "$hsm/" && printf 'directories.tokendir = /var/lib/sluice-hsm/tokens\nobjectstore.backend = file\nlog.level = ERROR\n' >"$ROOT$HSM_CONF" &&
    inside chown -R sluice:sluice /var/lib/sluice-hsm && cp "$D/secrets/issuing.pin" "$D/secrets/service.password" "$ROOT/etc/sluice/" || return 1
  printf '%s\n' SLUICE_NODE_NAME=moved "SLUICE_PUBLIC_URL=http://127.0.0.1:$((PORT + 1))" "SLUICE_SERVICE_URL=https://localhost:$PORT" \
    "SLUICE_DATABASE_URL=jdbc:postgresql://127.0.0.1:$(cat "$D/postgres.port")/sluice" SLUICE_DATABASE_USER=sluice_service "SLUICE_HSM_MODULE=/$module" \
    SLUICE_HSM_TOKEN_LABEL=sluice-issuing "SERVER_PORT=$PORT" "SLUICE_HTTP_PORT=$((PORT + 1))" "MANAGEMENT_SERVER_PORT=$((PORT + 2))" \
    "SOFTHSM2_CONF=$HSM_CONF" >"$ROOT/etc/sluice/node.env" && chmod 640 "$ROOT/etc/sluice/node.env" && inside chgrp sluice /etc/sluice/node.env
}

# ocsp_says STATUS: about old.pem, in an answer that verifies.
ocsp_says() {
  openssl ocsp -issuer "$WORK/client/chain.pem" -cert "$ROOT/home/alice/old.pem" -CAfile "$WORK/client/root.pem" -verify_other "$WORK/client/chain.pem" \
    -url "http://127.0.0.1:$((PORT + 1))/ocsp" >"$WORK/ocsp" 2>&1 && grep -q 'verify OK' "$WORK/ocsp" && grep -q "old.pem: $1" "$WORK/ocsp"
}

# What the previous release issued is good, and can be revoked.
status_of_the_old() {
  local serial by=(--url "https://localhost:$PORT" --ca-file root.pem --token-file enroll.token)
  expect 0 as_alice sluice find "${by[@]}" --san old.example.com --json || return 1
  serial="$(jq -rs '.[0].serial' "$WORK/out")"
  expect 0 as_alice sluice get "${by[@]}" "$serial" --out old.pem && ocsp_says good || fail "$(cat "$WORK/ocsp")" || return 1
  expect 0 as_alice sluice revoke "${by[@]}" "$serial" --reason superseded && await 60 ocsp_says revoked || fail "$(cat "$WORK/ocsp")"
}

test_upgrade_databaseOfThePreviousRelease_migratedAsItsOwner() {
  has_root || { skip "needs root, namespaces and mmdebstrap"; return 0; }
  has_history || { skip "this clone has no commit $(previous_commit), the previous release"; return 0; }
  PORT='' ROOT="$WORK/root"
  choose_ports && old_database && clean_root && expect 0 inside dpkg -i /sluice.deb && configured_by_hand || return 1
  # The service's role changes no schema: the node says what to run, and does not serve.
  ! migrates_it || { start_node && await "$START_SECONDS" test ! -d "/proc/$NODE_PID" && NODE_PID='' && grep -q 'ceremony migrate' "$WORK/node.log" ||
    fail "a node without the owner's password: $(tail -n 3 "$WORK/node.log")"; } || return 1
  install -m 400 "$D/secrets/database.password" "$ROOT/etc/sluice/owner.password" && ready_node "$PORT" || return 1
  printf '    migration and start %s s\n' "$STARTED_IN"
  inside useradd --create-home alice && cp "$WORK"/client/{root.pem,chain.pem,enroll.token} "$ROOT/home/alice/" && inside chown -R alice:alice /home/alice || return 1
  expect 0 as_alice sluice find --url "https://localhost:$PORT" --ca-file root.pem --token-file enroll.token --san old.example.com && says old.example.com || return 1
  status_of_the_old || return 1
  enroll "$PORT" new.example.com && curl -sf --noproxy '*' --max-time 10 -o "$WORK/crl" "http://127.0.0.1:$((PORT + 1))/crl/issuing.crl" &&
    openssl crl -inform DER -in "$WORK/crl" -CAfile "$WORK/client/chain.pem" -noout 2>&1 | grep -q 'verify OK' || fail "no CRL of the issuer" || return 1
  # Not the node's: its user must not read it.
  expect 1 inside setpriv --reuid=sluice --regid=sluice --clear-groups cat /etc/sluice/owner.password || return 1
  end_node && end_database
}
