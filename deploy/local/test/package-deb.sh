# shellcheck shell=bash
# The tests of package.sh that install the Debian package in a clean Debian: its scripts, its node, what a purge deletes. Sourced.

# The words before a root and a command in it, with the kernel's own files: one process, which becomes the command.
# shellcheck disable=SC2016 # the inner shell's own variables
ENTER=(unshare --mount sh -c 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && root="$1" && shift && exec chroot "$root" env -i \
  PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"' enter)

inside() { timeout 300 "${ENTER[@]}" "$ROOT" "$@"; }

has_root() {
  [ "$(id -u)" -eq 0 ] && [ -s "$WORK/root.tar" ] && unshare --mount true 2>/dev/null
}

clean_root() {
  rm -rf --one-file-system "$ROOT" && mkdir -m 755 "$ROOT" && tar -xf "$WORK/root.tar" -C "$ROOT" --exclude='./dev/*' --numeric-owner &&
    printf '127.0.0.1 localhost\n' >"$ROOT/etc/hosts" && chmod 644 "$ROOT/etc/hosts" && cp "$(package '*.deb')" "$ROOT/sluice.deb"
}

# A service manager that writes down what it is asked for. /run/state has the node's state, /run/jobs what is being done.
with_systemd() {
  mkdir -p "$ROOT/run/systemd/system" && chmod 755 "$ROOT/run" "$ROOT/run/systemd" "$ROOT/run/systemd/system"
  # shellcheck disable=SC2016 # the text of the program
  printf '#!/bin/sh\necho "$0 $*" | sed "s,.*/,," >>/asked\ncase "$*" in\n*ActiveState*) cat /run/state ;;\n*list-jobs*) cat /run/jobs ;;\nesac\n' >"$ROOT/usr/local/bin/systemctl"
  chmod 755 "$ROOT/usr/local/bin" "$ROOT/usr/local/bin/systemctl"
  cp -p "$ROOT/usr/local/bin/systemctl" "$ROOT/usr/local/bin/deb-systemd-invoke"
  : >"$ROOT/run/jobs" && node_is inactive
}

node_is() { printf '%s\n' "$1" >"$ROOT/run/state"; }

asked() { [ "$(grep -E 'start|stop' "$ROOT/asked" 2>/dev/null | paste -sd,)" = "$1" ] || fail "asked for '$(paste -sd, "$ROOT/asked")', not '$1'"; }

test_deb_install_upgrade_remove_purge() {
  has_root || { skip "needs root, namespaces and mmdebstrap"; return 0; }
  clean_root && with_systemd || return 1
  expect 0 inside dpkg -i /sluice.deb && asked '' || return 1
  [ "$(inside stat -c '%a %U %G' /etc/sluice /var/lib/sluice | paste -sd,)" = '750 root sluice,700 sluice sluice' ] || fail "folders" || return 1
  [ -L "$ROOT/etc/systemd/system/multi-user.target.wants/sluice.service" ] || fail "not enabled" || return 1
  inside getent passwd sluice | grep -q ':/usr/sbin/nologin$' || fail "the user can log in" || return 1
  expect 0 inside dpkg --verify sluice && [ ! -s "$WORK/out" ] || fail "$(cat "$WORK/out")" || return 1
  # An upgrade stops what runs before its files are replaced, and starts it again; what does not run stays so.
  expect 0 inside dpkg -i /sluice.deb && asked '' && node_is failed && expect 0 inside dpkg -i /sluice.deb && asked '' && node_is active && expect 0 inside dpkg -i /sluice.deb &&
    asked 'deb-systemd-invoke stop sluice.service,deb-systemd-invoke start sluice.service' && [ ! -e "$ROOT/run/sluice.ran-before-upgrade" ] || return 1
  written_and_added
  : >"$ROOT/run/sluice.ran-before-upgrade"
  expect 0 inside dpkg -r sluice && [ ! -e "$ROOT/run/sluice.ran-before-upgrade" ] && asked 'deb-systemd-invoke stop sluice.service,deb-systemd-invoke start sluice.service,deb-systemd-invoke stop sluice.service' || return 1
  [ ! -e "$ROOT/usr/lib/sluice" ] && [ "$(left)" = "$(cat "$WORK/before")" ] || fail "left: $(left)" || return 1
  expect 0 inside dpkg -P sluice && says '(delete it by hand): /etc/sluice/issuing.pin' && says '(delete it by hand): /etc/sluice/my keys' &&
    says '(delete it by hand): /var/lib/sluice/audit' && left_as_it_must || return 1
  [ ! -e "$ROOT/etc/systemd/system/multi-user.target.wants/sluice.service" ] || fail "still enabled" || return 1
  # Without such things nothing is left, whatever folders root looks for programs in.
  rm -rf "$ROOT/etc/sluice" "$ROOT/var/lib/sluice"
  expect 0 inside dpkg -i /sluice.deb && : >"$ROOT/etc/sluice/node.env" && : >"$ROOT/var/lib/sluice/tls.p12" && expect 0 inside env PATH=.:/usr/sbin:/usr/bin:/sbin:bin: dpkg -P sluice &&
    [ ! -e "$ROOT/etc/sluice" ] && [ ! -e "$ROOT/var/lib/sluice" ] || fail "left: $(find "$ROOT/etc/sluice" "$ROOT/var/lib/sluice")"
}

# The node's files are not for a person who has that name.
test_deb_aPersonNamedSluice_refused() {
  has_root || { skip "needs root, namespaces and mmdebstrap"; return 0; }
  clean_root && expect 0 inside useradd --create-home sluice && expect 1 inside dpkg -i /sluice.deb && says 'not a system user' && [ ! -e "$ROOT/var/lib/sluice" ] || return 1
  expect 0 inside userdel --remove sluice && expect 0 inside dpkg --configure sluice && [ "$(inside stat -c %U /var/lib/sluice)" = sluice ] || fail "not configured"
}

# What a purge must keep, in the folders of the package and next to them.
readonly KEPT=(etc/sluice/{issuing.pin,keys-of-secrets,client.pem,"my keys",tokens.yaml,tokens.pins/berlin.pin,ceremony/chain.pem,ceremony/chain.pem.new,ceremony/mine.pem}
  etc/sluice/$'a\nb.token' etc/systemd/system/sluice.service.d/override.conf etc/sluice-other/node.env srv/checkpoints/checkpoint-1.json srv/node.env
  var/lib/sluice/softhsm/tokens/a-b/{generation,token.object} var/lib/sluice/journal.db var/lib/sluice-hsm/token.object)
# What it deletes.
readonly MADE=(etc/sluice/{node.env,setup.draft,service.password,ceremony/{root.pem,audit.pem,issuing.csr,root.crl,admin.token,enroll.token}}
  var/lib/sluice/{tls.p12,tls.p12.new,crl/issuing.0.7.crl,hs_err_pid7.log})

# Values in single quotes, with blanks, a tokens file, a drop-in of the unit, and links to folders and files elsewhere.
written_and_added() {
  local file
  for file in "${MADE[@]}" "${KEPT[@]}"; do
    mkdir -p "$ROOT/$(dirname "$file")" && printf 'x\n' >"$ROOT/$file"
  done
  printf '%s\n' SLUICE_NODE_NAME=a "SLUICE_SECRETS_FILE='/etc/sluice/my keys'" 'SLUICE_HSM_TOKENS_FILE="/etc/sluice/tokens.yaml"' >"$ROOT/etc/sluice/node.env"
  printf '[Service]\nEnvironment="SLUICE_SECRETS_FILE=/etc/sluice/keys-of-secrets"\n' >"$ROOT/etc/systemd/system/sluice.service.d/override.conf"
  printf -- '-----BEGIN EC PRIVATE KEY-----\n' | tee "$ROOT/etc/sluice/client.pem" "$ROOT/etc/sluice/ceremony/chain.pem.new" >"$ROOT/etc/sluice/ceremony/chain.pem"
  ln -s /srv/checkpoints "$ROOT/var/lib/sluice/audit" && ln -s /srv/node.env "$ROOT/etc/sluice/node.env.new" && left >"$WORK/before"
}

# Files and links of a purge's folders and of those that it must not touch.
left() { (cd "$ROOT" && find etc srv var/lib -path '*sluice*' ! -type d ! -path 'var/lib/dpkg/*' ! -path 'var/lib/systemd/*' ! -path 'etc/systemd/*.wants/*' -printf '%p,' -o -path 'srv/*' ! -type d -printf '%p,' | tr '\n,' '?\n' | sort); }

left_as_it_must() {
  local expected
  expected="$(printf '%s,' "${KEPT[@]}" etc/sluice/node.env.new var/lib/sluice/audit | tr '\n,' '?\n' | sort)"
  [ "$(left)" = "$expected" ] || fail "left, and expected: $(diff <(left) <(printf '%s\n' "$expected"))"
}

# Between two attempts to start a node runs; one that an administrator is stopping stays stopped.
test_deb_upgrade_ofNodesThatStartOrStop() {
  has_root || { skip "needs root, namespaces and mmdebstrap"; return 0; }
  local stop='deb-systemd-invoke stop sluice.service' start='deb-systemd-invoke start sluice.service'
  clean_root && with_systemd && expect 0 inside dpkg -i /sluice.deb && node_is activating && expect 0 inside dpkg -i /sluice.deb && asked "$stop,$start" || return 1
  rm "$ROOT/asked"
  node_is deactivating && expect 0 inside dpkg -i /sluice.deb && asked "$stop,$start" || return 1
  rm "$ROOT/asked"
  printf '%s\n' '9 other.service  start running' '17 sluice.service stop running' >"$ROOT/run/jobs"
  expect 0 inside dpkg -i /sluice.deb && asked "$stop" || return 1
  rm "$ROOT/asked"
  # The migration runs before it.
  node_is inactive && printf '%s\n' '17 sluice.service start waiting' >"$ROOT/run/jobs"
  expect 0 inside dpkg -i /sluice.deb && asked "$stop,$start"
}

test_planted_purgeThatFollowsLinksOrTakesMore_isFound() {
  has_root || { skip "needs root, namespaces and mmdebstrap"; return 0; }
  local fault
  clean_root || return 1
  for fault in 's/find -P/find -L/' 's/^made=.*/made=".*"/' 's/! -name .\*\.pem. ! -name .\*\.pem\.new. -o //; s/! -execdir grep -q[^;]*;/-true/' 's/setup.\.draft/none/'; do
    rm -rf "$ROOT"/{etc/sluice*,srv,var/lib/sluice*} && written_and_added && sed "$fault" "$FILES/debian/postrm" >"$ROOT/planted" || return 1
    ! cmp -s "$ROOT/planted" "$FILES/debian/postrm" || fail "nothing was planted by $fault" || return 1
    inside sh /planted purge >/dev/null 2>&1
    ! left_as_it_must 2>/dev/null || fail "not found: $fault" || return 1
  done
}

test_deb_setup_nodeOfTheUnit_enroll_remove_purge_setupAgain() {
  has_root || { skip "needs root, namespaces and mmdebstrap"; return 0; }
  clean_root && expect 0 inside dpkg -i /sluice.deb && database && choose_ports && tokens && setup_first_node && says 'written: /etc/sluice/node.env' && keep_tokens || return 1
  [ "$(inside stat -c '%a %U' /etc/sluice/{issuing.pin,service.password,node.env,ceremony/root.crl} | paste -sd,)" = '600 root,600 root,640 root,644 root' ] || fail "modes" || return 1
  ready_node "$PORT" && alice && enroll "$PORT" www.example.com || return 1
  printf '    %s: installed %s MB, setup %s s, first start %s s' "$(sed -n 's/^PRETTY_NAME="\(.*\)"$/\1/p' "$ROOT/etc/os-release")" "$(inside dpkg-query -W -f '${Installed-Size}' sluice | awk '{ printf "%.0f", $1 * 1.024 / 1000 }')" "$SETUP_IN" "$STARTED_IN"
  # The node's own files are in its state; other users cannot read its secrets.
  [ -s "$ROOT/var/lib/sluice/tls.p12" ] || fail "no state" || return 1
  expect 1 as_alice cat /etc/sluice/issuing.pin && expect 2 as_alice ls /etc/sluice /var/lib/sluice || return 1
  expect 0 as_alice sluice find --url "https://localhost:$PORT" --ca-file root.pem --token-file enroll.token --san www.example.com && says www.example.com || return 1
  # A setting that no node knows ends it: it reads none in the folder in which it may write.
  mkdir -p "$ROOT/var/lib/sluice/config" && echo 'sluice.planted: 1' | tee "$ROOT/var/lib/sluice/application.properties" >"$ROOT/var/lib/sluice/config/application.yaml" &&
    chmod -R a+rX "$ROOT"/var/lib/sluice/{application.properties,config} && end_node && ready_node "$PORT" && rm -r "$ROOT"/var/lib/sluice/{application.properties,config} && printf ', next start %s s\n' "$STARTED_IN" && end_node || return 1
  # Removing leaves all that the next installation needs; purging what exists nowhere else.
  left >"$WORK/before" && expect 0 inside dpkg -r sluice && [ "$(left)" = "$(cat "$WORK/before")" ] || fail "removed too much: $(left)" || return 1
  expect 0 inside dpkg -P sluice && [ "$(left | grep -v '^var/lib/sluice-hsm/' | paste -sd,)" = etc/sluice/issuing.pin ] ||
    fail "left: $(left)" || return 1
  # Ledger and keys are where they were: the same answers find them and make nothing twice.
  expect 0 inside dpkg -i /sluice.deb && setup_first_node && says 'the issuing CA CN=Packaged Issuing CA' && says ', whose key the token has' && ! grep -q '^done: \(root\|issuing-key\|install\)' "$WORK/out" ||
    fail "setup after a purge: $(grep '^done' "$WORK/out")" || return 1
  ready_node "$PORT" && as_alice true && enroll "$PORT" again.example.com && end_node
}

test_deb_startUpCacheOfOtherJars_isNotTaken() {
  has_root || { skip "needs root, namespaces and mmdebstrap"; return 0; }
  clean_root && expect 0 inside dpkg -i /sluice.deb || return 1
  touch "$ROOT/usr/lib/sluice/ca-api.jar"
  ! expect 0 inside env JDK_JAVA_OPTIONS=-XX:AOTMode=on /usr/lib/sluice/node 2>/dev/null && grep -qi 'aot' "$WORK/out" "$WORK/err" || fail "it was taken: $(head -n 3 "$WORK/out")"
}
