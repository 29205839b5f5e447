# shellcheck shell=bash
# A machine for tests: the template's Debian, without the node, under its own systemd in QEMU, and a shell of root on its second
# serial line. Sourced; the caller has WORK, SLUICE_ROOT and launcher(). Files to be in the machine lie in WORK/files.

# No KVM: everything takes many times as long, and longer still alongside other work.
readonly GUEST_BOOT_SECONDS=600
readonly GUEST_MIB=1280
readonly FIRMWARE=/usr/share/OVMF
GUEST_PID=''

# guest_image CACHE: WORK/disk.raw. Of the image's own functions, so that both start from the same packages and boot alike.
guest_image() {
  # shellcheck disable=SC2016 # expanded in the inner shell
  launcher '
    source "$SLUICE_ROOT/deploy/vm-template/image.sh"
    umask 022
    VM_CACHE="$1" VM_OUT="$2" BUILD_WORK="$2/image" VM_EPOCH="$VM_BASE_EPOCH"
    VM_TREE="$BUILD_WORK/tree"
    mkdir -p "$VM_CACHE" "$BUILD_WORK" "$VM_TREE"
    chmod 755 "$VM_TREE"
    require_tools $VM_TOOLS qemu-system-x86_64:qemu-system-x86
    [ -r "$3/OVMF_CODE_4M.fd" ] || install_packages ovmf
    vm_base
    tar -xf "$VM_BASE" -C "$VM_TREE" --exclude="./dev/*" --numeric-owner --xattrs --xattrs-include="*"
    mkdir -p "$VM_TREE/dev"
    for part in sysctl.d modprobe.d security; do
      cp -rT "$SLUICE_ROOT/deploy/vm-template/root/etc/$part" "$VM_TREE/etc/$part"
    done
    cp -rT --preserve=mode "$2/files" "$VM_TREE"
    for unit in apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer fstrim.timer systemd-firstboot.service getty@tty1.service serial-getty@ttyS0.service; do
      chroot "$VM_TREE" systemctl --quiet mask "$unit"
    done
    chroot "$VM_TREE" systemctl --quiet enable systemd-networkd.service test-shell.service
    chroot "$VM_TREE" useradd --create-home alice
    : >"$VM_TREE/etc/machine-id"
    : >"$VM_TREE/etc/cloud/cloud-init.disabled"
    printf "LABEL=sluice-root / ext4 errors=remount-ro,noatime 0 1\n" >"$VM_TREE/etc/fstab"
    # No build is compared with another here.
    vm_level_inodes() { :; }
    vm_disk
    mv "$BUILD_WORK/disk.raw" "$2/disk.raw"
    rm -rf --one-file-system "$BUILD_WORK"' "$1" "$WORK" "$FIRMWARE"
}

# guest_files: the network by DHCP, and the shell.
guest_files() {
  local system="$WORK/files/etc/systemd"
  (
    umask 022
    mkdir -p "$system"/{network,system,journald.conf.d}
    printf '[Match]\nName=en*\n[Network]\nDHCP=ipv4\n' >"$system/network/80-test.network"
    printf '[Journal]\nStorage=persistent\nForwardToConsole=yes\nTTYPath=/dev/ttyS0\n' >"$system/journald.conf.d/test.conf"
    # Not for login: bash reads commands from the line. Of a pipe, for a terminal would make it prompt.
    cat >"$system/system/test-shell.service" <<'UNIT'
[Unit]
After=network-online.target systemd-user-sessions.service
Wants=network-online.target
[Service]
ExecStart=/bin/sh -c 'stty -F /dev/ttyS1 raw -echo 115200; exec </dev/ttyS1 >/dev/ttyS1 2>&1; cd /root; echo; echo @@ready; cat | bash --norc'
Environment=HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
Restart=always
[Install]
WantedBy=multi-user.target
UNIT
  )
}

# One processor: with two the emulator let a JVM run compiled code that the other was still changing (SIGSEGV in C1's code, one
# start of ten).
guest_start() {
  mkfifo "$WORK/line.in" "$WORK/line.out" && cp "$FIRMWARE/OVMF_VARS_4M.fd" "$WORK/vars.fd" || return 1
  exec {GUEST_IN}<>"$WORK/line.in" {GUEST_OUT}<>"$WORK/line.out"
  GUEST_BEGUN=$SECONDS
  qemu-system-x86_64 -name sluice-systemd -nodefaults -no-reboot -display none -machine q35 -accel tcg,tb-size=512 -cpu max -smp 1 -m "$GUEST_MIB" \
    -drive "if=pflash,unit=0,format=raw,readonly=on,file=$FIRMWARE/OVMF_CODE_4M.fd" -drive "if=pflash,unit=1,format=raw,file=$WORK/vars.fd" \
    -device virtio-scsi-pci -drive "if=none,id=root,format=raw,cache=unsafe,file=$WORK/disk.raw" -device scsi-hd,drive=root,bootindex=1 \
    -netdev user,id=net -device virtio-net-pci,netdev=net -device virtio-rng-pci \
    -serial "file:$WORK/console" -chardev "pipe,id=line,path=$WORK/line" -serial chardev:line >"$WORK/qemu.log" 2>&1 </dev/null &
  GUEST_PID=$!
  GUEST_SECONDS=$GUEST_BOOT_SECONDS guest_read @@ready && guest true &&
    printf '    a shell of root after %s s\n' "$((SECONDS - GUEST_BEGUN))"
}

# guest_read MARK: what the machine prints until a line that begins with MARK goes to WORK/out; sets GUEST_LAST to that line.
guest_read() {
  local part line='' deadline=$((SECONDS + ${GUEST_SECONDS:-120}))
  : >"$WORK/out"
  while true; do
    if IFS= read -r -t 5 part <&"$GUEST_OUT"; then
      line+="$part"
      [[ "$line" != "$1"* ]] || { GUEST_LAST="$line"; return 0; }
      printf '%s\n' "$line" >>"$WORK/out"
      line=''
    else
      line+="$part"
    fi
    [ -d "/proc/$GUEST_PID" ] || { fail "the machine ended: $(tail -n 2 "$WORK/qemu.log") $(tail -n 2 "$WORK/console")"; return 1; }
    ((SECONDS < deadline)) || { fail "not in ${GUEST_SECONDS:-120} s; on its console: $(tail -n 3 "$WORK/console")"; return 1; }
  done
}

# guest CODE…: runs it by root's shell in the machine; its output is in WORK/out. GUEST_SECONDS is how long it may take.
guest() {
  local mark="@@$RANDOM$RANDOM"
  # shellcheck disable=SC2016 # expanded in the machine
  printf '(eval "$(base64 -d <<<%s)") </dev/null 2>&1; printf "\\n%s %%s\\n" "$?"\n' "$(printf '%s' "$*" | base64 -w 0)" "$mark" >&"$GUEST_IN"
  guest_read "$mark" || return 125
  # The line that the mark's own begins.
  sed -i '${/^$/d}' "$WORK/out"
  return "${GUEST_LAST##* }"
}

guest_end() {
  local tries
  [ -n "$GUEST_PID" ] || return 0
  kill -s TERM "$GUEST_PID" 2>/dev/null
  for ((tries = 0; tries < 100; tries++)); do
    [ -d "/proc/$GUEST_PID" ] || break
    sleep 0.1
  done
  kill -s KILL "$GUEST_PID" 2>/dev/null
  GUEST_PID=''
}
