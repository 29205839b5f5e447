# shellcheck shell=bash
# `vm boot`: a machine's first boot with a seed, readiness, a certificate from outside, metrics, a clean end. Prints one
# line of figures, ends with 0 if all held.

vm_boot() {
  parse_options 'data out port management-port memory' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "vm boot takes no argument: '${ARGUMENTS[0]}'"
  vm_machines_prepare 1
  vm_open_desk
  vm_make 0
  vm_start 0
  vm_judge
}

vm_judge() {
  local ready issued stopping
  vm_await_ready 0
  ready=$((SECONDS - VM_BEGUN[0]))
  grep -aq 'has joined, secure boot on' "$VM_WORK/console-0" || die "Secure Boot is not on: $(vm_last_line 0)"
  vm_enroll
  issued=$((SECONDS - VM_BEGUN[0]))
  vm_metrics
  vm_memory
  stopping=$SECONDS
  vm_power_button 0
  await_end "$VM_END_SECONDS" "${VM_PID[0]}" || die "the machine does not end in $VM_END_SECONDS s"
  vm_ended 0
  printf 'vm boot: ready %s s, first certificate %s s, ended in %s s, %s MiB of %s used, secure boot on\n' \
    "$ready" "$issued" "$((SECONDS - stopping))" "$VM_USED_MIB" "${OPTION[memory]}"
}

vm_enroll() {
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$VM_WORK/k" -out "$VM_WORK/csr" \
    -subj /CN=vm.example.com -addext subjectAltName=DNS:vm.example.com 2>/dev/null
  "$SLUICE_ROOT/sluice" enroll --data "$DATA" --url "https://localhost:${OPTION[port]}" --wait 180 --profile tls-server \
    --csr "$VM_WORK/csr" --out "$VM_WORK/pem" >"$VM_WORK/enroll.log" 2>&1 || die "enrolling failed: $(last_words "$VM_WORK/enroll.log")"
  openssl verify -x509_strict -CAfile "$DATA/root.pem" -untrusted "$DATA/chain.pem" "$VM_WORK/pem" >/dev/null || die "the certificate does not verify"
}

vm_metrics() {
  curl -sf --noproxy '*' --max-time 60 "http://127.0.0.1:${OPTION[management-port]}/actuator/prometheus" >"$VM_OUT/metrics.txt" || die "no metrics"
  grep -q '^ca_issued_total{.*profile="tls-server".*} [1-9]' "$VM_OUT/metrics.txt" || die "the metrics tell of no certificate"
}

# What the guest itself calls used: all memory less what it could have for the asking.
vm_memory() {
  local tries
  printf 'qom-set /machine/peripheral/balloon guest-stats-polling-interval 1\n' >&"${VM_MONITOR[0]}"
  for ((tries = 0; tries < 10; tries++)); do
    sleep 3
    printf 'qom-get /machine/peripheral/balloon guest-stats\n' >&"${VM_MONITOR[0]}"
    sleep 1
    VM_USED_MIB="$(tr -d '\r' <"$VM_WORK/qemu-0.log" | awk -F '[:,]' '
      /"stat-total-memory"/ { total = $2 } /"stat-available-memory"/ { free = $2 }
      END { if (total + 0 > 0 && free + 0 > 0) printf "%.0f", (total - free) / 1048576 }')"
    [ -z "$VM_USED_MIB" ] || return 0
  done
  die "the guest does not report its memory"
}
