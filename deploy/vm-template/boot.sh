# shellcheck shell=bash
# `vm boot`: the image in QEMU as it would run under Hyper-V (UEFI, Secure Boot, no KVM needed): first boot with a seed,
# readiness, a certificate from outside, metrics, a clean end. Prints one line of figures, ends with 0 if all held.

# Without KVM everything takes many times as long, and longer still beside other work.
readonly VM_READY_SECONDS=900
readonly VM_END_SECONDS=300
readonly VM_MEMORY_MIB=768
readonly OVMF=/usr/share/OVMF

vm_boot() {
  parse_options 'data out port management-port memory' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "vm boot takes no argument: '${ARGUMENTS[0]}'"
  VM_OUT="$(absolute_path "${OPTION[out]:-$SLUICE_ROOT/var/vm}")"
  [ -s "$VM_OUT/sluice.qcow2" ] || die "no image in $VM_OUT: ./sluice vm build first"
  [ -n "${CHOSEN[port]:-}" ] || OPTION[port]=9443
  [ -n "${CHOSEN[management-port]:-}" ] || OPTION[management-port]=9180
  [ -n "${CHOSEN[memory]:-}" ] || choose memory "$VM_MEMORY_MIB"
  require_number memory 512 8192
  use_data
  [ -n "$(postgres_pid)" ] || die "the machine needs a trial's database and token: ./sluice up --detach --data $DATA first"
  prerequisites_to_run
  require_tools qemu-system-x86_64:qemu-system-x86 qemu-img:qemu-utils genisoimage:genisoimage
  [ -r "$OVMF/OVMF_CODE_4M.secboot.fd" ] || install_packages ovmf
  local port
  for port in "${OPTION[port]}" "${OPTION[management-port]}"; do
    ! port_is_busy "$port" || die "port $port is in use"
  done
  BOOT_WORK="$(mktemp -d)"
  DESK_PID='' VM_PID=''
  trap vm_boot_end EXIT
  trap 'exit 1' INT TERM
  vm_open_desk
  vm_start
  vm_judge
}

# Ends what was started, by number.
vm_boot_end() {
  local pid
  trap '' INT TERM
  cp "$BOOT_WORK/console" "$VM_OUT/console.log" 2>/dev/null || true
  for pid in $VM_PID $DESK_PID; do
    kill -s TERM "$pid" 2>/dev/null || true
    await_end 20 "$pid" || kill -s KILL "$pid" 2>/dev/null || true
  done
  rm -rf "$BOOT_WORK"
}

# A trial's token is a folder; machines get a copy of it as a vendor's client would get its key and certificate.
vm_open_desk() {
  local client="$BOOT_WORK/client" desk_port tries
  mkdir -p "$client"
  cp -rT "$DATA/softhsm/issuing/tokens" "$client/tokens"
  printf 'directories.tokendir = /var/lib/sluice-hsm/tokens\nobjectstore.backend = file\nlog.level = ERROR\nslots.removable = false\n' >"$client/softhsm2.conf"
  tar -cf "$BOOT_WORK/client.tar" -C "$client" .
  desk_port=$((20000 + RANDOM % 12000))
  "$SLUICE_ROOT/sluice" vm desk --data "$DATA" --desk-dir "$BOOT_WORK/desk" --port "$desk_port" --pin-file "$DATA/secrets/issuing.pin" \
    --database-password-file "$DATA/secrets/database.password" --hsm-client "$BOOT_WORK/client.tar" >"$BOOT_WORK/desk.log" 2>&1 </dev/null &
  DESK_PID=$!
  for ((tries = 0; tries < 600; tries++)); do
    ! grep -q 'open on' "$BOOT_WORK/desk.log" || break
    await_end 0 "$DESK_PID" && die "the desk ended: $(last_words "$BOOT_WORK/desk.log")"
    sleep 0.1
  done
  # 10.0.2.2 is this host's loopback as QEMU's user network shows it to its guest.
  printf '%s\n' "SLUICE_PUBLIC_URL=$(run_value public-url)" "SLUICE_DATABASE_URL=jdbc:postgresql://10.0.2.2:$(postgres_port)/sluice" \
    SLUICE_HSM_MODULE=/usr/lib/softhsm/libsofthsm2.so SLUICE_HSM_TOKEN_LABEL=sluice-issuing SLUICE_HSM_NODES_MAX=4 MONITORING=10.0.2.2 >"$BOOT_WORK/settings"
  "$SLUICE_ROOT/sluice" vm seed --data "$DATA" --desk-dir "$BOOT_WORK/desk" --node vm-0 --desk "10.0.2.2:$desk_port" \
    --settings "$BOOT_WORK/settings" --out "$BOOT_WORK/seed.iso"
}

vm_start() {
  cp "$OVMF/OVMF_VARS_4M.ms.fd" "$BOOT_WORK/vars.fd"
  qemu-img create -q -f qcow2 -F qcow2 -b "$VM_OUT/sluice.qcow2" "$BOOT_WORK/disk.qcow2"
  VM_BEGUN=$SECONDS
  mkfifo "$BOOT_WORK/monitor"
  exec 7<>"$BOOT_WORK/monitor"
  # -no-reboot: a guest that fails in its firmware must end, not go round.
  qemu-system-x86_64 -name sluice-vm -nodefaults -no-reboot -display none -machine q35,smm=on -accel tcg,thread=multi,tb-size=512 -cpu max -smp 2 \
    -m "${OPTION[memory]}" -global driver=cfi.pflash01,property=secure,value=on \
    -drive "if=pflash,unit=0,format=raw,readonly=on,file=$OVMF/OVMF_CODE_4M.secboot.fd" -drive "if=pflash,unit=1,format=raw,file=$BOOT_WORK/vars.fd" \
    -device virtio-scsi-pci -drive "if=none,id=root,format=qcow2,cache=unsafe,file=$BOOT_WORK/disk.qcow2" -device scsi-hd,drive=root,bootindex=1 \
    -drive "if=none,id=seed,format=raw,readonly=on,media=cdrom,file=$BOOT_WORK/seed.iso" -device scsi-cd,drive=seed \
    -netdev "user,id=net,hostfwd=tcp:127.0.0.1:${OPTION[port]}-:8443,hostfwd=tcp:127.0.0.1:${OPTION[management-port]}-:8180" \
    -device virtio-net-pci,netdev=net -device virtio-rng-pci -device virtio-balloon-pci,id=balloon \
    -serial "file:$BOOT_WORK/console" -monitor stdio >"$BOOT_WORK/qemu.log" 2>&1 <&7 &
  VM_PID=$!
}

vm_is_ready() {
  local answer
  answer="$(curl -sf --noproxy '*' --max-time 20 "http://127.0.0.1:${OPTION[management-port]}/actuator/health/readiness" 2>/dev/null)" || return 1
  [[ "$answer" == *'"status":"UP"'* ]]
}

vm_judge() {
  local deadline=$((SECONDS + VM_READY_SECONDS)) ready issued ended
  until vm_is_ready; do
    ((SECONDS < deadline)) || die "not ready in $VM_READY_SECONDS s: $(vm_last_line)"
    ! await_end 0 "$VM_PID" || die "the machine ended: $(vm_last_line) $(last_words "$BOOT_WORK/qemu.log")"
    ! grep -aq 'sluice-join.*\(wrong seed\|refuses\|another key\|no seed\)' "$BOOT_WORK/console" 2>/dev/null || die "not joined: $(vm_last_line)"
    sleep 1
  done
  ready=$((SECONDS - VM_BEGUN))
  say "ready after $ready s"
  grep -aq 'has joined, secure boot on' "$BOOT_WORK/console" || die "Secure Boot is not on: $(vm_last_line)"
  vm_enroll
  issued=$((SECONDS - VM_BEGUN))
  vm_metrics
  vm_memory
  vm_stop
  ended=$SECONDS
  printf 'vm boot: ready %s s, first certificate %s s, ended in %s s, %s MiB of %s used, secure boot on\n' \
    "$ready" "$issued" "$((ended - VM_STOPPING))" "$VM_USED_MIB" "${OPTION[memory]}"
}

vm_last_line() { tr -d '\r' <"$BOOT_WORK/console" 2>/dev/null | grep -a 'sluice-join\|sluice-node' | tail -n 1; }

vm_enroll() {
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$BOOT_WORK/k" -out "$BOOT_WORK/csr" \
    -subj /CN=vm.example.com -addext subjectAltName=DNS:vm.example.com 2>/dev/null
  "$SLUICE_ROOT/sluice" enroll --data "$DATA" --url "https://localhost:${OPTION[port]}" --wait 180 --profile tls-server \
    --csr "$BOOT_WORK/csr" --out "$BOOT_WORK/pem" >"$BOOT_WORK/enroll.log" 2>&1 || die "enrolling failed: $(last_words "$BOOT_WORK/enroll.log")"
  openssl verify -x509_strict -CAfile "$DATA/root.pem" -untrusted "$DATA/chain.pem" "$BOOT_WORK/pem" >/dev/null || die "the certificate does not verify"
}

vm_metrics() {
  curl -sf --noproxy '*' --max-time 60 "http://127.0.0.1:${OPTION[management-port]}/actuator/prometheus" >"$VM_OUT/metrics.txt" || die "no metrics"
  grep -q '^ca_issued_total{.*profile="tls-server".*} [1-9]' "$VM_OUT/metrics.txt" || die "the metrics tell of no certificate"
}

# What the guest itself calls used: all memory less what it could have for the asking.
vm_memory() {
  local tries
  printf 'qom-set /machine/peripheral/balloon guest-stats-polling-interval 1\n' >&7
  for ((tries = 0; tries < 10; tries++)); do
    sleep 3
    printf 'qom-get /machine/peripheral/balloon guest-stats\n' >&7
    sleep 1
    VM_USED_MIB="$(tr -d '\r' <"$BOOT_WORK/qemu.log" | awk -F '[:,]' '
      /"stat-total-memory"/ { total = $2 } /"stat-available-memory"/ { free = $2 }
      END { if (total + 0 > 0 && free + 0 > 0) printf "%.0f", (total - free) / 1048576 }')"
    [ -z "$VM_USED_MIB" ] || return 0
  done
  die "the guest tells nothing of its memory"
}

# The power button: the machine ends by itself, and the node says in the audit trail that it stopped.
vm_stop() {
  VM_STOPPING=$SECONDS
  vm_power_button
  await_end "$VM_END_SECONDS" "$VM_PID" || die "the machine does not end in $VM_END_SECONDS s"
  wait "$VM_PID" 2>/dev/null || die "QEMU ended with an error: $(last_words "$BOOT_WORK/qemu.log")"
  VM_PID=''
  ! grep -aq 'Failed with result.*sluice\|sluice.service: Failed' "$BOOT_WORK/console" || die "the node did not end cleanly"
  "$SLUICE_ROOT/sluice" audit export --data "$DATA" 2>/dev/null | grep '"node.stopped"' | grep -q 'vm-0' || die "the audit trail has no node.stopped of vm-0"
}

# QEMU's monitor reads a pipe: no tool is needed that speaks to sockets.
vm_power_button() {
  printf 'system_powerdown\n' >&7
}
