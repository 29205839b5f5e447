# shellcheck shell=bash
# `vm build`: from Debian's packages and this checkout to a bootable disk, by files alone: no mounts of images, no loop
# devices, no KVM (ADR 0042). Runs as root, for the files in the image have owners and are entered by chroot.

readonly VM_TOOLS='mmdebstrap:mmdebstrap mke2fs:e2fsprogs debugfs:e2fsprogs mkfs.vfat:dosfstools mcopy:mtools sfdisk:fdisk
  qemu-img:qemu-utils zstd:zstd genisoimage:genisoimage'
readonly VM_SUITE=bookworm
# Debian's part does not depend on the commit, so it can be kept from one to the next: 2026-01-01.
readonly VM_BASE_EPOCH=1767225600
readonly VM_DISK_MIB=2048
readonly VM_ESP_MIB=64
# Sets VM_OUT, VM_CACHE, VM_TREE (the image's files).
vm_build() {
  parse_options 'out cache mirror security-mirror overlay' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "vm build takes no argument: '${ARGUMENTS[0]}'"
  is_root || missing_prerequisite "vm build needs root (it makes files of several owners and enters them by chroot)"
  VM_OUT="$(absolute_path "${OPTION[out]:-$SLUICE_ROOT/var/vm}")"
  VM_CACHE="$(absolute_path "${OPTION[cache]:-$SLUICE_ROOT/var/vm-cache}")"
  prerequisites_to_run
  # shellcheck disable=SC2086 # a list of words
  require_tools $VM_TOOLS
  # What is made here is read by others in the image; what is private lies in a folder that is.
  umask 022
  mkdir -p "$VM_OUT" "$VM_CACHE"
  VM_EPOCH="$(git -C "$SLUICE_ROOT" log -1 --format=%ct 2>/dev/null || printf %s "$VM_BASE_EPOCH")"
  export SOURCE_DATE_EPOCH="$VM_EPOCH"
  BUILD_WORK="$(mktemp -d "$VM_CACHE/work.XXXXXX")"
  trap vm_build_end EXIT
  trap end_long INT TERM
  VM_TREE="$BUILD_WORK/tree"
  vm_base
  vm_tree
  vm_disk
  vm_outputs
  say "image in $VM_OUT: $(cd "$VM_OUT" && du -h sluice.qcow2 sluice.vhdx sluice.vhdx.zst | awk '{ print $2, $1 }' | paste -sd,)"
}

vm_build_end() {
  rm -rf --one-file-system "$BUILD_WORK"
}

vm_step() { say "$1 ($SECONDS s)"; }

# Debian, kept by what it was made of; a mirror that moves on is asked again when --cache is emptied.
vm_base() {
  local mirror="${OPTION[mirror]:-http://deb.debian.org/debian}" key old=()
  local security="${OPTION[security-mirror]:-http://deb.debian.org/debian-security}"
  VM_SOURCES=("deb $mirror $VM_SUITE main" "deb $mirror $VM_SUITE-updates main" "deb $security $VM_SUITE-security main")
  key="$({ printf '%s\n' "${VM_SOURCES[@]}"; vm_packages; } | sha256sum | cut -c 1-16)"
  VM_BASE="$VM_CACHE/base-$key.tar"
  [ ! -s "$VM_BASE" ] || return 0
  # A snapshot's lists are past their time; those of a living mirror must not be, as updates may then be held back.
  [ -z "${OPTION[mirror]:-}" ] || old=(--aptopt='Acquire::Check-Valid-Until "false"')
  vm_step "Debian's packages"
  run_long "$VM_OUT/base.log" env "SOURCE_DATE_EPOCH=$VM_BASE_EPOCH" mmdebstrap --variant=minbase --format=tar --include="$(vm_packages | paste -sd,)" \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    "${old[@]}" \
    "$VM_SUITE" "$VM_BASE.new" "${VM_SOURCES[@]}" || die "mmdebstrap failed: $(last_words "$VM_OUT/base.log") (log $VM_OUT/base.log)"
  mv "$VM_BASE.new" "$VM_BASE"
}

vm_packages() { sed '/^#/d' "$SLUICE_ROOT/deploy/vm-template/packages" | sort; }

vm_tree() {
  vm_step "the image's files"
  mkdir -m 755 "$VM_TREE"
  # Device nodes are the kernel's business (devtmpfs), and making them is forbidden in many containers.
  tar -xf "$VM_BASE" -C "$VM_TREE" --exclude='./dev/*' --numeric-owner --xattrs --xattrs-include='*'
  mkdir -p "$VM_TREE"/{dev,etc/sluice/nftables.d,opt/sluice/hsm,var/lib/sluice-hsm}
  package_checkout "$BUILD_WORK/package" "$VM_CACHE"
  cp -aT "$BUILD_WORK/package" "$VM_TREE"
  cp -rT "$SLUICE_ROOT/deploy/vm-template/root" "$VM_TREE"
  chmod 755 "$VM_TREE/usr/lib/sluice/join"
  vm_settle
  if [ -n "${OPTION[overlay]:-}" ]; then
    [ -d "${OPTION[overlay]}" ] || bad_usage "--overlay names no folder: ${OPTION[overlay]}"
    cp -rT --preserve=mode "${OPTION[overlay]}" "$VM_TREE"
  fi
  vm_level_dates
}

# Accounts, what starts, and what must differ from machine to machine.
vm_settle() {
  local unit
  chroot "$VM_TREE" useradd --system --uid 900 --user-group --home-dir /var/lib/sluice --shell /usr/sbin/nologin sluice
  # useradd writes the day of the change.
  chroot "$VM_TREE" chage --lastday "$((VM_EPOCH / 86400))" sluice
  chroot "$VM_TREE" chown sluice:sluice /var/lib/sluice-hsm
  chmod 700 "$VM_TREE/var/lib/sluice-hsm"
  chmod 750 "$VM_TREE/etc/sluice"
  for unit in sluice.service sluice-join.service nftables.service chrony.service systemd-networkd.service systemd-resolved.service; do
    chroot "$VM_TREE" systemctl --quiet enable "$unit"
  done
  # Images are immutable: what is new comes with a new image.
  for unit in apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer fstrim.timer systemd-firstboot.service getty@tty1.service serial-getty@ttyS0.service; do
    chroot "$VM_TREE" systemctl --quiet mask "$unit"
  done
  chroot "$VM_TREE" passwd --quiet --lock root
  sed -i 's/^UMASK\t.*/UMASK\t\t027/' "$VM_TREE/etc/login.defs"
  chmod 700 "$VM_TREE"/etc/cron.{d,daily}
  # Empty: made at boot, without the questions of a first one.
  : >"$VM_TREE/etc/machine-id"
  rm -f "$VM_TREE/var/lib/dbus/machine-id" "$VM_TREE/etc/hostname" "$VM_TREE/var/lib/systemd/random-seed" \
    "$VM_TREE"/etc/passwd- "$VM_TREE"/etc/shadow- "$VM_TREE"/etc/group- "$VM_TREE"/etc/gshadow- "$VM_TREE"/etc/subuid- "$VM_TREE"/etc/subgid-
  rm -rf "$VM_TREE"/var/lib/apt/lists/* "$VM_TREE"/var/cache/* "$VM_TREE"/var/log/* "$VM_TREE"/tmp/*
  ln -sf /run/systemd/resolve/stub-resolv.conf "$VM_TREE/etc/resolv.conf"
  printf 'LABEL=sluice-root / ext4 errors=remount-ro,noatime 0 1\n' >"$VM_TREE/etc/fstab"
}

vm_level_dates() {
  find "$VM_TREE" -xdev -newermt "@$VM_EPOCH" -print0 | xargs -0r touch --no-dereference --date="@$VM_EPOCH"
}

# Identifiers follow from commit and packages, so that two builds agree.
vm_uuid() {
  local hash
  hash="$(printf '%s %s %s' "$1" "$VM_EPOCH" "$(basename "$VM_BASE")" | sha256sum)"
  printf '%s-%s-4%s-8%s-%s' "${hash:0:8}" "${hash:8:4}" "${hash:13:3}" "${hash:17:3}" "${hash:20:12}"
}

vm_disk() {
  local root_mib=$((VM_DISK_MIB - VM_ESP_MIB - 2)) disk="$BUILD_WORK/disk.raw"
  vm_step "the root file system"
  # GRUB 2.06 reads neither of the two features left out.
  E2FSPROGS_FAKE_TIME="$VM_EPOCH" mke2fs -q -t ext4 -O '^orphan_file,^metadata_csum_seed' -m 1 -L sluice-root -U "$(vm_uuid root)" \
    -E "hash_seed=$(vm_uuid hash),lazy_itable_init=0,lazy_journal_init=0" -d "$VM_TREE" "$BUILD_WORK/root.ext4" "${root_mib}M" ||
    die "mke2fs failed"
  vm_level_inodes
  vm_esp
  vm_step "the disk"
  truncate -s "${VM_DISK_MIB}M" "$disk"
  sfdisk -q "$disk" <<TABLE || die "sfdisk failed"
label: gpt
label-id: $(vm_uuid disk)
start=1MiB, size=${VM_ESP_MIB}MiB, type=C12A7328-F81F-11D2-BA4B-00A0C93EC93B, uuid=$(vm_uuid esp), name=ESP
start=$((VM_ESP_MIB + 1))MiB, size=${root_mib}MiB, type=4F68BCE3-E8CD-4DB1-96E7-FBCAF984B709, uuid=$(vm_uuid root-partition), name=root
TABLE
  dd if="$BUILD_WORK/esp.img" of="$disk" bs=1M seek=1 conv=notrunc,sparse status=none
  dd if="$BUILD_WORK/root.ext4" of="$disk" bs=1M seek=$((VM_ESP_MIB + 1)) conv=notrunc,sparse status=none
}

# mke2fs copies the times of change of the files it reads, which no program can set: they are levelled in the image.
vm_level_inodes() {
  local used
  used="$(find "$VM_TREE" -xdev | wc -l)"
  seq 2 $((used + 64)) | awk -v t="@$VM_EPOCH" '$1 == 2 || $1 > 10 {
    print "set_inode_field <" $1 "> ctime " t; print "set_inode_field <" $1 "> crtime " t
    print "set_inode_field <" $1 "> atime " t; print "set_inode_field <" $1 "> ctime_extra 0"
    print "set_inode_field <" $1 "> atime_extra 0"; print "set_inode_field <" $1 "> mtime_extra 0"; print "set_inode_field <" $1 "> crtime_extra 0" }' >"$BUILD_WORK/level"
  E2FSPROGS_FAKE_TIME="$VM_EPOCH" debugfs -w -f "$BUILD_WORK/level" "$BUILD_WORK/root.ext4" >"$BUILD_WORK/level.log" 2>&1 || die "debugfs failed"
}

# What grub-install would do: the signed files under the names that firmware, shim and GRUB look for.
vm_esp() {
  local esp="$BUILD_WORK/esp.img" files="$BUILD_WORK/esp"
  mkdir -p "$files/EFI/BOOT" "$files/EFI/debian"
  cp "$VM_TREE/usr/lib/shim/shimx64.efi.signed" "$files/EFI/BOOT/BOOTX64.EFI"
  cp "$VM_TREE/usr/lib/shim/mmx64.efi.signed" "$files/EFI/BOOT/mmx64.efi"
  cp "$VM_TREE/usr/lib/grub/x86_64-efi-signed/grubx64.efi.signed" "$files/EFI/BOOT/grubx64.efi"
  cat >"$files/EFI/debian/grub.cfg" <<GRUB
set timeout=0
search --no-floppy --fs-uuid --set=root $(vm_uuid root)
linux /vmlinuz root=UUID=$(vm_uuid root) ro console=tty0 console=ttyS0,115200 lockdown=integrity panic=30
initrd /initrd.img
boot
GRUB
  find "$files" -print0 | xargs -0 touch --date="@$VM_EPOCH"
  truncate -s "${VM_ESP_MIB}M" "$esp"
  mkfs.vfat --invariant -F 32 -n ESP -i "$(vm_uuid esp | cut -c 1-8)" "$esp" >/dev/null || die "mkfs.vfat failed"
  mcopy -s -m -i "$esp" "$files/EFI" ::/ || die "mcopy failed"
}

vm_outputs() {
  local disk="$BUILD_WORK/disk.raw"
  vm_step "disk images and manifest"
  qemu-img convert -O qcow2 -c "$disk" "$VM_OUT/sluice.qcow2.new"
  qemu-img convert -O vhdx -o subformat=dynamic "$disk" "$VM_OUT/sluice.vhdx.new"
  zstd -q -f -T1 -9 "$VM_OUT/sluice.vhdx.new" -o "$VM_OUT/sluice.vhdx.zst.new"
  vm_files >"$VM_OUT/files.new"
  # shellcheck disable=SC2016 # dpkg-query's own variables
  chroot "$VM_TREE" dpkg-query -W -f '${Package} ${Version} ${Architecture}\n' | sort >"$VM_OUT/packages.new"
  local name
  for name in sluice.qcow2 sluice.vhdx sluice.vhdx.zst files packages; do
    mv -f "$VM_OUT/$name.new" "$VM_OUT/$name"
  done
  vm_manifest "$disk" >"$VM_OUT/manifest.new"
  mv -f "$VM_OUT/manifest.new" "$VM_OUT/manifest"
}

# Each file of the image: kind, mode, owners, size, date, SHA-256 or target, path. What two builds are compared by.
vm_files() {
  (
    cd "$VM_TREE" || exit 1
    find . -xdev -type f -printf '%P\0' | sort -z | xargs -0 sha256sum | sed 's/^\\//' | awk '{ h = $1; sub(/^[^ ]+  /, ""); print h, $0 }' >"$BUILD_WORK/sums"
    find . -xdev -printf '%y %m %U:%G %s %Ts\t%P\t%l\n' | awk -F '\t' -v sums="$BUILD_WORK/sums" '
      BEGIN { while ((getline line < sums) > 0) { h = line; sub(/ .*/, "", h); p = line; sub(/^[^ ]+ /, "", p); sum[p] = h } }
      { split($1, f, " "); if (f[1] == "d") f[4] = "-"; print f[1], f[2], f[3], f[4], f[5], (f[1] == "f" ? sum[$2] : f[1] == "l" ? "->" $3 : "-"), "/" $2 }' |
      sort -k 7
  )
}

vm_manifest() {
  local cache
  printf 'sluice: %s\n' "$PACKAGE_COMMIT"
  printf 'source-date-epoch: %s\n' "$VM_EPOCH"
  printf 'java: %s\n' "$(jdk_version)"
  printf 'debian: %s\n' "$(cat "$VM_TREE/etc/debian_version")"
  printf 'kernel: %s\n' "$(cd "$VM_TREE/lib/modules" && echo *)"
  printf 'source: %s\n' "${VM_SOURCES[@]}"
  printf 'packages: %s\n' "$(wc -l <"$VM_OUT/packages")"
  printf 'disk-bytes: %s\n' "$(stat -c %s "$1")"
  (cd "$VM_OUT" && sha256sum sluice.qcow2 sluice.vhdx sluice.vhdx.zst files packages) | awk '{ print "sha256 " $2 ": " $1 }'
  printf 'sha256 disk.raw: %s\n' "$(sha256sum <"$1" | cut -c 1-64)"
  printf 'sha256 root.ext4: %s\n' "$(sha256sum <"$BUILD_WORK/root.ext4" | cut -c 1-64)"
  printf 'sha256 esp.img: %s\n' "$(sha256sum <"$BUILD_WORK/esp.img" | cut -c 1-64)"
  for cache in ca-api sluice; do
    printf 'sha256 %s.aot: %s (differs from build to build)\n' "$cache" "$(sha256sum <"$VM_TREE/usr/lib/sluice/$cache.aot" | cut -c 1-64)"
  done
}
