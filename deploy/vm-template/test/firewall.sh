# shellcheck shell=bash
# Tests of the machine template's firewall with real packets between network namespaces. Sourced by run.sh.

# In a network of its own, with a second one next to it: which of these ports does the second reach? Prints them.
# $1: the rules' file, $2: a command of nft to add, or nothing.
reached_ports() {
  mkdir -p "$WORK/nft.d"
  sed "s#/etc/sluice/nftables.d#$WORK/nft.d#" "$1" >"$WORK/rules"
  # shellcheck disable=SC2016 # the inner shell's own variables
  timeout 60 unshare --user --map-root-user --net bash -c '
    set -e
    ip link set lo up
    unshare --net sleep 50 & other=$!
    for i in 1 2 3 4 5 6 7 8 9 10; do
      [ "$(readlink /proc/$other/ns/net)" = "$(readlink /proc/self/ns/net)" ] || break
      sleep 0.1
    done
    ip link add left0 type veth peer name right0 netns $other
    ip address add 10.9.0.1/24 dev left0
    ip link set left0 up
    nsenter --target $other --net ip address add 10.9.0.2/24 dev right0
    nsenter --target $other --net ip link set right0 up
    nft -f "$1"
    [ -z "$2" ] || nft $2
    rm -f "$3.ready"
    python3 "$3" "$3.ready" & server=$!
    for ((i = 0; i < 150; i++)); do
      [ ! -e "$3.ready" ] || break
      sleep 0.1
    done
    for port in 22 8080 8180 8443; do
      ! nsenter --target $other --net timeout 2 bash -c "exec 3<>/dev/tcp/10.9.0.1/$port" 2>/dev/null || printf "%s " $port
    done
    kill $server $other' bash "$WORK/rules" "${2:-}" "$WORK/listen.py" 2>"$WORK/net.log"
}

firewall_can_run() {
  cat >"$WORK/listen.py" <<'PY'
import selectors, socket, sys
s = selectors.DefaultSelector()
for port in (22, 8080, 8180, 8443):
    l = socket.create_server(("10.9.0.1", port)); s.register(l, selectors.EVENT_READ)
open(sys.argv[1], "w").close()
while True:
    for key, _ in s.select():
        key.fileobj.accept()[0].close()
PY
  if ! have nft python3 ip || ! unshare --user --map-root-user --net true 2>/dev/null; then
    skip "needs nft, ip, python3 and user namespaces"
    return 1
  fi
}

expect_reached() {
  local reached
  reached="$(reached_ports "$1" "$3")"
  [ "$reached" = "$2" ] || fail "reached '$reached', not '$2' ($(tail -n 1 "$WORK/net.log"))"
}

# The image has no list of protocols (/etc/protocols): a name that nft does not know itself would leave it without rules, and so
# without a node.
test_firewall_withoutAListOfProtocols_isRead_plantedIsFound() {
  firewall_can_run || return 0
  is_read_without_protocols "$FILES/etc/nftables.conf" || fail "$(head -n 1 "$WORK/net.log")" || return 1
  sed 's/{ icmp, icmpv6 }/{ icmp, ipv6-icmp }/' "$FILES/etc/nftables.conf" >"$WORK/planted"
  ! is_read_without_protocols "$WORK/planted" && grep -q 'Could not resolve protocol name' "$WORK/net.log" || fail "not found"
}

is_read_without_protocols() {
  mkdir -p "$WORK/nft.d"
  sed "s#/etc/sluice/nftables.d#$WORK/nft.d#" "$1" >"$WORK/rules"
  # shellcheck disable=SC2016 # the inner shell's own variable
  timeout 60 unshare --user --map-root-user --net --mount sh -c 'mkdir -p "$2" && : >"$2/protocols" &&
    { [ ! -e /etc/protocols ] || mount --bind "$2/protocols" /etc/protocols; } && nft -c -f "$1"' sh "$WORK/rules" "$WORK/empty" >"$WORK/net.log" 2>&1
}

test_firewall_anybody_reachesTheServicePortsOnly() {
  firewall_can_run || return 0
  expect_reached "$FILES/etc/nftables.conf" '8080 8443 ' ''
}

test_firewall_monitoring_reachesTheManagementPortToo() {
  firewall_can_run || return 0
  expect_reached "$FILES/etc/nftables.conf" '8080 8180 8443 ' 'add element inet sluice monitoring4 { 10.9.0.2 }'
}

test_planted_firewallThatAccepts_isFound() {
  firewall_can_run || return 0
  sed 's/input priority filter; policy drop/input priority filter; policy accept/' "$FILES/etc/nftables.conf" >"$WORK/open.conf"
  expect_reached "$WORK/open.conf" '22 8080 8180 8443 ' ''
}

# In a network of its own with a second one next to it: which of these ports of the second does a node reach? Prints them.
left_ports() {
  mkdir -p "$WORK/nft.d"
  sed "s#/etc/sluice/nftables.d#$WORK/nft.d#" "$1" >"$WORK/rules"
  sed 's/(22, 8080, 8180, 8443)/(22, 80, 443, 5432, 5696)/; s/10.9.0.1/10.9.0.2/' "$WORK/listen.py" >"$WORK/listen-there.py"
  # shellcheck disable=SC2016 # the inner shell's own variables
  timeout 60 unshare --user --map-root-user --net bash -c '
    set -e
    ip link set lo up
    unshare --net sleep 50 & other=$!
    for i in 1 2 3 4 5 6 7 8 9 10; do
      [ "$(readlink /proc/$other/ns/net)" = "$(readlink /proc/self/ns/net)" ] || break
      sleep 0.1
    done
    ip link add left0 type veth peer name right0 netns $other
    ip address add 10.9.0.1/24 dev left0
    ip link set left0 up
    nsenter --target $other --net ip address add 10.9.0.2/24 dev right0
    nsenter --target $other --net ip link set right0 up
    nft -f "$1"
    printf "%s" "$2" | nft -f -
    rm -f "$3.ready"
    nsenter --target $other --net python3 "$3" "$3.ready" & server=$!
    for ((i = 0; i < 150; i++)); do
      [ ! -e "$3.ready" ] || break
      sleep 0.1
    done
    for port in 22 80 443 5432 5696; do
      ! timeout 2 bash -c "exec 3<>/dev/tcp/10.9.0.2/$port" 2>/dev/null || printf "%s " $port
    done
    kill $server $other' bash "$WORK/rules" "${2:-}" "$WORK/listen-there.py" 2>"$WORK/net.log"
}

expect_left() {
  local left
  left="$(left_ports "$1" "$3")"
  [ "$left" = "$2" ] || fail "a node reaches '$left', not '$2' ($(tail -n 1 "$WORK/net.log"))"
}

test_egress_node_reachesWhatItsSeedNamesOnly() {
  firewall_can_run || return 0
  expect_left "$FILES/etc/nftables.conf" '' '' &&
    expect_left "$FILES/etc/nftables.conf" '5432 ' 'add element inet sluice egress_ports { 5432 }' &&
    expect_left "$FILES/etc/nftables.conf" '5696 ' 'add element inet sluice egress4 { 10.9.0.2 . 5696 }' &&
    expect_left "$FILES/etc/nftables.conf" '' 'add element inet sluice egress4 { 10.9.0.3 . 5432, 192.0.2.0/24 . 5696 }
add element inet sluice egress6 { 2001:db8::/64 . 5432 }'
}

test_planted_egressThatAccepts_isFound() {
  firewall_can_run || return 0
  sed '/reject with icmpx/d; s/output priority filter; policy drop/output priority filter; policy accept/' "$FILES/etc/nftables.conf" >"$WORK/open.conf"
  expect_left "$WORK/open.conf" '22 80 443 5432 5696 ' ''
}

# egress LINE…: the rules that a machine writes whose seed has these settings.
egress() {
  # shellcheck disable=SC2016 # the inner shell's own variables
  JOIN_ROOT="$WORK/egress" bash -c '
    mkdir -p "$JOIN_ROOT/etc/sluice/nftables.d"
    source <(sed "/^if \[ \"\${1:-}\" = check/,\$d" "$1")
    shift
    for line; do SETTING["${line%%=*}"]="${line#*=}"; done
    write_egress
    cat "$JOIN_ROOT/etc/sluice/nftables.d/egress.nft"' bash "$FILES/usr/lib/sluice/join" "$@"
}

test_egress_seed_namesPlacesOrElseDatabaseAndCollector() {
  local rules
  rules="$(egress SLUICE_DATABASE_URL=jdbc:postgresql://db-1.example.com,db-2.example.com:6432/sluice?sslmode=verify-full SLUICE_TRACING_ENDPOINT=https://traces.example.com/v1/traces)"
  [ "$rules" = 'add element inet sluice egress_ports { 4318 }
add element inet sluice egress_ports { 5432 }
add element inet sluice egress_ports { 6432 }' ] || fail "the rules are $rules" || return 1
  rules="$(egress SLUICE_DATABASE_URL=jdbc:postgresql://db.example.com/sluice 'EGRESS=192.0.2.7:5432, [2001:db8::/64]:5696, 4317')"
  [ "$rules" = 'add element inet sluice egress4 { 192.0.2.7 . 5432 }
add element inet sluice egress6 { 2001:db8::/64 . 5696 }
add element inet sluice egress_ports { 4317 }' ] || fail "the rules are $rules"
}
