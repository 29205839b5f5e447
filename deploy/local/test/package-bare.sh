# shellcheck shell=bash
# The nightly test of package.sh of the tar archive on a Linux that is no Debian. Sourced.

BARE="$WORK/bare"

# bare_root: without dpkg and Debian's folders of libraries: a shell, the programs that ours call, the C library, SoftHSM and
# what they load, all in one folder. setpriv and chown stand for the service manager and the administrator.
bare_root() {
  local file programs=(sh readlink dirname cat env setpriv chown)
  rm -rf "$BARE" && mkdir -p "$BARE"/{usr/bin,usr/lib,usr/local/bin,etc/systemd/system,etc/sluice,proc,dev,tmp,opt,run,root,var/lib/sluice} || return 1
  chmod -R go+rX "$BARE" && chmod 1777 "$BARE/tmp" && ln -s usr/bin "$BARE/bin" && ln -s usr/lib "$BARE/lib" && ln -s usr/lib "$BARE/lib64" || return 1
  for file in "${programs[@]}"; do
    cp -L "$ROOT/bin/$file" "$BARE/usr/bin/$file" || return 1
  done
  cp "$(find "$ROOT/usr/lib" -name libsofthsm2.so | sed 1q)" "$BARE/usr/lib/" || return 1
  # The Java runtime has a launcher and a virtual machine; what else it loads comes with it.
  while IFS= read -r file; do
    cp -L "$ROOT$file" "$BARE/usr/lib/" || return 1
  done < <(inside sh -c 'cd /bin && ldd "$@" $(find /usr/lib -name libsofthsm2.so) /usr/lib/sluice/jre/bin/java /usr/lib/sluice/jre/lib/server/libjvm.so /usr/lib/sluice/jre/lib/libnio.so' \
    ldd "${programs[@]}" | awk '$2 == "=>" && $3 ~ "^/" && $3 !~ "/sluice/" { print $3 } $1 ~ "^/lib64/" { print $1 }' | sort -u)
  chmod -R go+rX "$BARE/usr" || return 1
  printf 'root:x:0:0::/root:/bin/sh\nsluice:x:990:990::/var/lib/sluice:/bin/false\n' >"$BARE/etc/passwd" && printf 'root:x:0:\nsluice:x:990:\n' >"$BARE/etc/group" &&
    printf '127.0.0.1 localhost\n' >"$BARE/etc/hosts" && printf 'hosts: files\npasswd: files\ngroup: files\n' >"$BARE/etc/nsswitch.conf" && chmod 644 "$BARE"/etc/*[a-z] 2>/dev/null
  chmod 755 "$BARE"/etc/{systemd,systemd/system} && chown 0:990 "$BARE/etc/sluice" && chmod 750 "$BARE/etc/sluice" && chown 990:990 "$BARE/var/lib/sluice" && chmod 700 "$BARE/var/lib/sluice"
}

# The commands of docs/INSTALL.md.
install_tar() {
  tar -xzf "$(package '*.tar.gz')" -C "$BARE/opt" && ln -sfn "$(cd "$BARE/opt" && echo sluice-*)" "$BARE/opt/sluice" && ln -sfn /opt/sluice/bin/sluice "$BARE/usr/local/bin/sluice" &&
    sed 's#/usr/lib/sluice#/opt/sluice/lib/sluice#' "$BARE"/opt/sluice-*/lib/systemd/system/sluice.service >"$BARE/etc/systemd/system/sluice.service"
}

# The next node of the ledger and the token of a Debian, which is set up if it is not there.
test_bareLinux_tar_setupOfTheNextNode_starts_enroll() {
  has_root || { skip "needs root, namespaces and mmdebstrap"; return 0; }
  clean_root && expect 0 inside dpkg -i /sluice.deb && database && choose_ports || return 1
  [ -s "$WORK/tokens.tar" ] || { tokens && setup_first_node && keep_tokens; } || return 1
  bare_root && install_tar && tar -xf "$WORK/tokens.tar" -C "$BARE" || return 1
  local ROOT="$BARE" UNIT="$BARE/etc/systemd/system/sluice.service"
  [ ! -e "$ROOT/usr/bin/dpkg" ] && [ ! -e "$ROOT/usr/lib/x86_64-linux-gnu" ] || fail "a Debian" || return 1
  inside chown -R sluice:sluice /var/lib/sluice-hsm && setup_node bare $((PORT + 3)) && ! grep -q '^done: \(root\|issuing-key\|migrate\)' "$WORK/out" || fail "setup: $(grep done: "$WORK/out")" || return 1
  ready_node $((PORT + 3)) || return 1
  printf '    no Debian: setup of the next node %s s, first start %s s\n' "$SETUP_IN" "$STARTED_IN"
  expect 0 inside setpriv --reuid=1001 --regid=1001 --clear-groups sluice --version && says 'sluice ' || return 1
  mkdir -m 777 "$ROOT/tmp/alice" && cp "$ROOT"/etc/sluice/ceremony/{root.pem,chain.pem,enroll.token} "$ROOT/tmp/alice/" && inside chown -R 1001:1001 /tmp/alice || return 1
  expect 0 inside setpriv --reuid=1001 --regid=1001 --clear-groups env --chdir=/tmp/alice HOME=/tmp/alice sluice enroll --url "https://localhost:$((PORT + 3))" --ca-file root.pem \
    --token-file enroll.token --profile tls-server --dns bare.example.com --key bare.key --out bare.pem || fail "$(tail -n 5 "$WORK/node.log")" || return 1
  openssl verify -x509_strict -CAfile "$ROOT/tmp/alice/root.pem" -untrusted "$ROOT/tmp/alice/chain.pem" "$ROOT/tmp/alice/bare.pem" >/dev/null || fail "the certificate does not verify" || return 1
  end_node
}
