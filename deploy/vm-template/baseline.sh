# shellcheck shell=bash
# `vm baseline`: Debian's lynis judges the files of a built image, in a chroot of its root file system, read out of
# sluice.qcow2 without a mount. No kernel of the image runs here: tests of a running system are left out (lynis.prf).
# Ends with 0 if nothing is found but what lynis-accepted names. Runs as root, as `vm build` does.

readonly VM_BASELINE_TOOLS='lynis:lynis qemu-img:qemu-utils debugfs:e2fsprogs'
readonly VM_BASELINE_SECONDS=600

vm_baseline() {
  local name kept=baseline
  parse_options 'out plant' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "vm baseline takes no argument: '${ARGUMENTS[0]}'"
  [[ "${OPTION[plant]:-open-account}" = open-account ]] || bad_usage "--plant is open-account, not '${OPTION[plant]}'"
  [ -z "${OPTION[plant]:-}" ] || kept=baseline-planted
  VM_OUT="$(absolute_path "${OPTION[out]:-$SLUICE_ROOT/var/vm}")"
  for name in sluice.qcow2 files manifest; do
    [ -r "$VM_OUT/$name" ] || die "no image in $VM_OUT ($name is missing): ./sluice vm build --out $VM_OUT first"
  done
  is_root || missing_prerequisite "vm baseline needs root (it makes files of several owners and enters them by chroot)"
  # shellcheck disable=SC2086 # a list of words
  require_tools $VM_BASELINE_TOOLS
  umask 022
  BUILD_WORK="$(mktemp -d "$VM_OUT/baseline-work.XXXXXX")"
  trap vm_build_end EXIT
  trap end_long INT TERM
  VM_TREE="$BUILD_WORK/tree"
  vm_unpack
  [ -z "${OPTION[plant]:-}" ] || vm_plant_account
  vm_lynis "$VM_OUT/$kept"
  vm_baseline_report "$VM_OUT/$kept.dat" "$SLUICE_ROOT/deploy/vm-template/lynis-accepted" "$VM_OUT/$kept"
}

# The root file system's files out of the image, and that they are those `vm build` has listed.
vm_unpack() {
  local disk="$BUILD_WORK/disk.raw" sum
  vm_step "the image's files"
  sum="$(sed -n 's/^sha256 sluice.qcow2: //p' "$VM_OUT/manifest")"
  sha256sum --quiet --status -c - <<<"$sum  $VM_OUT/sluice.qcow2" || die "$VM_OUT/sluice.qcow2 is not the one in its manifest: build again"
  qemu-img convert -O raw "$VM_OUT/sluice.qcow2" "$disk" || die "qemu-img failed"
  mkdir -m 755 "$VM_TREE"
  debugfs -R "rdump / $VM_TREE" "$disk?offset=$(((VM_ESP_MIB + 1) * 1048576))" >"$BUILD_WORK/rdump.log" 2>&1 ||
    die "debugfs failed: $(last_words "$BUILD_WORK/rdump.log")"
  rm -rf "$disk" "$VM_TREE/lost+found"
  vm_give_special_bits "$VM_OUT/files"
  vm_files >"$BUILD_WORK/files"
  # Dates are left out: this way of unpacking does not set those of symbolic links.
  cmp -s <(cut -d ' ' -f 1-4,6- "$VM_OUT/files") <(cut -d ' ' -f 1-4,6- "$BUILD_WORK/files") ||
    die "what was unpacked differs from $VM_OUT/files: $(diff <(cut -d ' ' -f 1-4,6- "$VM_OUT/files") <(cut -d ' ' -f 1-4,6- "$BUILD_WORK/files") | sed -n 2,3p | paste -sd' ')"
}

# debugfs sets modes before owners, and the kernel takes setuid and setgid away with the old owner.
vm_give_special_bits() {
  local kind mode path
  while read -r kind mode _ _ _ _ path; do
    [ ${#mode} -ne 4 ] || [ "$kind" = l ] || chmod "$mode" "$VM_TREE$path"
  done <"$1"
}

# For --plant: an account that anybody may enter, which must make the command fail.
vm_plant_account() {
  printf 'planted:x:1000:1000::/:/bin/sh\n' >>"$VM_TREE/etc/passwd"
  printf 'planted::20000:0:99999:7:::\n' >>"$VM_TREE/etc/shadow"
}

# vm_lynis OUT: makes OUT.dat, the report, and OUT.log.
# lynis lies in the tree's /run only while it looks; the tree is a copy that goes. Processes, network and name are of
# namespaces with nothing in them and there is no /proc, so that this host is not judged in the image's place.
vm_lynis() {
  local guest="$VM_TREE/run/lynis" status=0
  vm_step "lynis"
  [ -z "$(find "$VM_TREE"/usr/sbin/lynis "$VM_TREE"/usr/share/lynis 2>/dev/null)" ] || die "the image contains lynis"
  mkdir -m 700 "$guest"
  cp -r /usr/share/lynis/include /usr/share/lynis/db /etc/lynis/plugins /etc/lynis/default.prf /usr/sbin/lynis "$guest/"
  cp "$SLUICE_ROOT/deploy/vm-template/lynis.prf" "$guest/custom.prf"
  mknod -m 666 "$VM_TREE/dev/null" c 1 3 || die "cannot make device nodes for lynis"
  # shellcheck disable=SC2016 # the inner shell's own variables
  run_long "$1.log" timeout "$VM_BASELINE_SECONDS" unshare --pid --fork --net --ipc --uts --mount \
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C TZ=UTC sh -c 'hostname sluice && exec chroot "$1" sh -c "cd /run/lynis && exec ./lynis audit system \
      --cronjob --logfile /run/lynis/lynis.log --report-file /run/lynis/report.dat"' sh "$VM_TREE" || status=$?
  [ -s "$guest/report.dat" ] || die "lynis wrote no report, exit $status: $(last_words "$1.log") (log $1.log)"
  cp "$guest/report.dat" "$1.dat"
  cp "$guest/lynis.log" "$1.log"
}

# vm_baseline_report REPORT ACCEPTED OUT: one line a finding, those that are not accepted marked; prints it, and
# ends with 1 if there are any. A report that was cut short is none.
vm_baseline_report() {
  local index unexpected
  index="$(sed -n 's/^hardening_index=\([0-9]\{1,3\}\)$/\1/p' "$1")"
  { [ -n "$index" ] && grep -q '^finish=true$' "$1"; } || die "lynis did not come to its end: $1"
  {
    printf 'lynis: %s\n' "$(sed -n 's/^lynis_version=//p' "$1")"
    printf 'tests: %s\n' "$(sed -n 's/^lynis_tests_done=//p' "$1")"
    printf 'hardening-index: %s\n' "$index"
    printf 'warnings: %s\n' "$(grep -c '^warning\[\]=' "$1")"
    printf 'suggestions: %s\n' "$(grep -c '^suggestion\[\]=' "$1")"
    vm_findings "$1" "$2"
  } >"$3.new"
  mv -f "$3.new" "$3"
  cat "$3"
  unexpected="$(grep -c '^NOT ACCEPTED ' "$3")" || true
  [ "$unexpected" -eq 0 ] || die "$unexpected finding(s) that lynis-accepted does not name (report $3)"
}

vm_findings() {
  awk -F '[[]]=|[|]' -v accepted="$2" '
    BEGIN { while ((getline line < accepted) > 0) if (line !~ /^(#|$)/) { split(line, word, " "); known[word[1] " " word[2]] = 1 } }
    /^(warning|suggestion)\[\]=/ { print (($1 " " $2) in known ? "" : "NOT ACCEPTED ") $1 " " $2 " " $3 ($4 != "-" && $4 != "" ? " (" $4 ")" : "") }' "$1" | sort
}
