# shellcheck shell=bash
# Machines of the template in QEMU, as they would run under Hyper-V (UEFI, Secure Boot, no KVM needed), with a desk, a
# seed for each and a trial's database and token. What `vm boot` and `vm pair` share. Machine N is node vm-N; its HTTPS
# is at --port + N, its management port at --management-port + N.

# Without KVM everything takes many times as long, and longer still alongside other work.
readonly VM_READY_SECONDS=900
readonly VM_END_SECONDS=300
readonly VM_MEMORY_MIB=768
readonly OVMF=/usr/share/OVMF

# By number: process, file descriptor of the monitor, second in which it was started, the same as a time of day.
declare -a VM_PID=() VM_MONITOR=() VM_BEGUN=() VM_SINCE=()
DESK_PID=''

# vm_machines_prepare COUNT: options, programs, ports, a folder of its own.
vm_machines_prepare() {
  local i port
  [ -n "${CHOSEN[port]:-}" ] || OPTION[port]=9443
  [ -n "${CHOSEN[management-port]:-}" ] || OPTION[management-port]=9180
  [ -n "${CHOSEN[memory]:-}" ] || choose memory "$VM_MEMORY_MIB"
  require_number port 1 $((65536 - $1))
  require_number management-port 1 $((65536 - $1))
  require_number memory 512 8192
  VM_OUT="$(absolute_path "${OPTION[out]:-$SLUICE_ROOT/var/vm}")"
  [ -s "$VM_OUT/sluice.qcow2" ] || die "no image in $VM_OUT: ./sluice vm build first"
  use_data
  [ -n "$(postgres_pid)" ] || die "machines need a trial's database and token: ./sluice up --detach --data $DATA first"
  prerequisites_to_run
  require_tools qemu-system-x86_64:qemu-system-x86 qemu-img:qemu-utils genisoimage:genisoimage
  [ -r "$OVMF/OVMF_CODE_4M.secboot.fd" ] || install_packages ovmf
  for ((i = 0; i < $1; i++)); do
    for port in "$((OPTION[port] + i))" "$((OPTION[management-port] + i))"; do
      ! port_is_busy "$port" || die "port $port is in use"
    done
  done
  VM_WORK="$(mktemp -d)"
  trap vm_machines_end EXIT
  trap 'exit 1' INT TERM
}

# Ends what was started, by number: the drill and the balancer that it has started, machines, the desk. Nothing that goes
# wrong here may keep it from the rest.
vm_machines_end() {
  local pid console others=''
  trap '' INT TERM
  set +e
  # Asked before the drill ends: afterwards no record shows whose children they were.
  [ -z "$LONG_CHILD" ] || others="$LONG_CHILD $(children_of "$LONG_CHILD")"
  for console in "$VM_WORK"/console-*; do
    [ ! -s "$console" ] || cp "$console" "$VM_OUT/${console##*/}.log"
  done
  # shellcheck disable=SC2086 # numbers
  for pid in $others "${VM_PID[@]}" $DESK_PID; do
    [ -n "$pid" ] || continue
    kill -s TERM "$pid" 2>/dev/null || true
    await_end 20 "$pid" || kill -s KILL "$pid" 2>/dev/null || true
  done
  rm -rf "$VM_WORK"
}

# A trial's token is a folder; machines get a copy of it as a vendor's client would get its key and certificate.
# vm_open_desk MORE…: settings of all seeds, in addition to those that a machine needs.
vm_open_desk() {
  local client="$VM_WORK/client" tries
  mkdir -p "$client"
  cp -rT "$DATA/softhsm/issuing/tokens" "$client/tokens"
  printf 'directories.tokendir = /var/lib/sluice-hsm/tokens\nobjectstore.backend = file\nlog.level = ERROR\nslots.removable = false\n' >"$client/softhsm2.conf"
  tar -cf "$VM_WORK/client.tar" -C "$client" .
  DESK_PORT=$((20000 + RANDOM % 12000))
  "$SLUICE_ROOT/sluice" vm desk --data "$DATA" --desk-dir "$VM_WORK/desk" --port "$DESK_PORT" --pin-file "$DATA/secrets/issuing.pin" \
    --database-password-file "$DATA/secrets/database.password" --hsm-client "$VM_WORK/client.tar" >"$VM_WORK/desk.log" 2>&1 </dev/null &
  DESK_PID=$!
  for ((tries = 0; tries < 600; tries++)); do
    ! grep -q 'open on' "$VM_WORK/desk.log" || break
    await_end 0 "$DESK_PID" && die "the desk ended: $(last_words "$VM_WORK/desk.log")"
    sleep 0.1
  done
  # 10.0.2.2 is this host's loopback as QEMU's user network shows it to its guest.
  printf '%s\n' "SLUICE_PUBLIC_URL=$(run_value public-url)" "SLUICE_DATABASE_URL=jdbc:postgresql://10.0.2.2:$(postgres_port)/sluice" \
    SLUICE_HSM_MODULE=/usr/lib/softhsm/libsofthsm2.so SLUICE_HSM_TOKEN_LABEL=sluice-issuing SLUICE_HSM_NODES_MAX=4 MONITORING=10.0.2.2 "$@" >"$VM_WORK/settings"
}

# A seed, a disk that only adds to the image, and firmware with Microsoft's keys. vm_make N
vm_make() {
  "$SLUICE_ROOT/sluice" vm seed --data "$DATA" --desk-dir "$VM_WORK/desk" --node "vm-$1" --desk "10.0.2.2:$DESK_PORT" \
    --settings "$VM_WORK/settings" --out "$VM_WORK/seed-$1.iso"
  cp "$OVMF/OVMF_VARS_4M.ms.fd" "$VM_WORK/vars-$1.fd"
  qemu-img create -q -f qcow2 -F qcow2 -b "$VM_OUT/sluice.qcow2" "$VM_WORK/disk-$1.qcow2"
  mkfifo "$VM_WORK/monitor-$1"
}

# vm_start N
vm_start() {
  local monitor
  VM_BEGUN[$1]=$SECONDS
  VM_SINCE[$1]="$(date -u +%FT%TZ)"
  exec {monitor}<>"$VM_WORK/monitor-$1"
  VM_MONITOR[$1]=$monitor
  # -no-reboot: a guest that fails in its firmware must end, not go round.
  qemu-system-x86_64 -name "sluice-vm-$1" -nodefaults -no-reboot -display none -machine q35,smm=on -accel tcg,thread=multi,tb-size=512 -cpu max -smp 2 \
    -m "${OPTION[memory]}" -global driver=cfi.pflash01,property=secure,value=on \
    -drive "if=pflash,unit=0,format=raw,readonly=on,file=$OVMF/OVMF_CODE_4M.secboot.fd" -drive "if=pflash,unit=1,format=raw,file=$VM_WORK/vars-$1.fd" \
    -device virtio-scsi-pci -drive "if=none,id=root,format=qcow2,cache=unsafe,file=$VM_WORK/disk-$1.qcow2" -device scsi-hd,drive=root,bootindex=1 \
    -drive "if=none,id=seed,format=raw,readonly=on,media=cdrom,file=$VM_WORK/seed-$1.iso" -device scsi-cd,drive=seed \
    -netdev "user,id=net,hostfwd=tcp:127.0.0.1:$((OPTION[port] + $1))-:8443,hostfwd=tcp:127.0.0.1:$((OPTION[management-port] + $1))-:8180" \
    -device virtio-net-pci,netdev=net -device virtio-rng-pci -device virtio-balloon-pci,id=balloon \
    -serial "file:$VM_WORK/console-$1" -monitor stdio >"$VM_WORK/qemu-$1.log" 2>&1 <&"$monitor" &
  VM_PID[$1]=$!
}

vm_is_ready() {
  local answer
  answer="$(curl -sf --noproxy '*' --max-time 20 "http://127.0.0.1:$((OPTION[management-port] + $1))/actuator/health/readiness" 2>/dev/null)" || return 1
  [[ "$answer" == *'"status":"UP"'* ]]
}

# vm_await_ready N: says after how many seconds.
vm_await_ready() {
  local deadline=$((SECONDS + VM_READY_SECONDS))
  until vm_is_ready "$1"; do
    ((SECONDS < deadline)) || die "vm-$1 is not ready in $VM_READY_SECONDS s: $(vm_last_line "$1")"
    ! await_end 0 "${VM_PID[$1]}" || die "vm-$1 ended: $(vm_last_line "$1") $(last_words "$VM_WORK/qemu-$1.log")"
    ! grep -aq 'sluice-join.*\(wrong seed\|refuses\|another key\|no seed\)' "$VM_WORK/console-$1" 2>/dev/null || die "vm-$1 has not joined: $(vm_last_line "$1")"
    sleep 1
  done
  say "vm-$1 is ready after $((SECONDS - VM_BEGUN[$1])) s"
}

vm_last_line() { tr -d '\r' <"$VM_WORK/console-$1" 2>/dev/null | grep -a 'sluice-join\|sluice-node' | tail -n 1; }

# QEMU's monitor reads a pipe: no tool is needed that speaks to sockets.
vm_power_button() { printf 'system_powerdown\n' >&"${VM_MONITOR[$1]}"; }

# vm_ended N: by itself, without an error, and the node says in the audit trail that it stopped, after this start of it:
# the trail has its earlier lives, too, and those of other runs on the same trial.
vm_ended() {
  wait "${VM_PID[$1]}" 2>/dev/null || die "QEMU of vm-$1 ended with an error: $(last_words "$VM_WORK/qemu-$1.log")"
  VM_PID[$1]=''
  ! grep -aq 'Failed with result.*sluice\|sluice.service: Failed' "$VM_WORK/console-$1" || die "the node of vm-$1 did not end cleanly"
  "$SLUICE_ROOT/sluice" audit export --data "$DATA" --from "${VM_SINCE[$1]}" 2>/dev/null | grep '"node.stopped"' | grep -q "vm-$1" || die "the audit trail has no node.stopped of vm-$1"
}
