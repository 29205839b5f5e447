# shellcheck shell=bash
# `vm pair`: two machines of the template on one database, each with its own copy of the token's keys, behind HAProxy
# and under load. One is stopped by its power button, and no client may see a failure; then one is killed, and the
# other serves on. A verdict, and exit code 0 if every promise was kept.

readonly PAIR_SECONDS=40

vm_pair() {
  parse_options 'data out port management-port memory seconds plant' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "vm pair takes no argument: '${ARGUMENTS[0]}'"
  [ -n "${CHOSEN[seconds]:-}" ] || choose seconds "$PAIR_SECONDS"
  require_number seconds 10 600
  OPTION[plant]="${OPTION[plant]:-none}"
  [[ "${OPTION[plant]}" =~ ^(none|no-notice)$ ]] || bad_usage "--plant is no-notice"
  vm_machines_prepare 2
  drill_balancer
  # After the prerequisites, which find the JDK.
  build
  load_classes
  if [ "${OPTION[plant]}" = no-notice ]; then
    vm_open_desk SLUICE_LINE_LEAVE_NOTICE=0s
  else
    vm_open_desk
  fi
  local i
  # One after the other: together they would take longer than both.
  for i in 0 1; do
    vm_make "$i"
    vm_start "$i"
    vm_await_ready "$i"
  done
  vm_pair_drill drain 1
  vm_ended 1
  # As drills have it: 1 says that the fault was noticed.
  if [ "${OPTION[plant]}" != none ]; then
    say "the planted fault was not noticed"
    return 0
  fi
  # From its own disk, without the desk: it has joined.
  vm_start 1
  vm_await_ready 1
  vm_pair_drill kill 0
  # Killed: there is no good end to ask for.
  wait "${VM_PID[0]}" 2>/dev/null || true
  VM_PID[0]=''
  vm_power_button 1
  await_end "$VM_END_SECONDS" "${VM_PID[1]}" || die "vm-1 does not end in $VM_END_SECONDS s"
  vm_ended 1
  printf 'vm pair: drained and killed under load, every promise kept\n'
}

# vm_pair_drill drain|kill N: load on both while that is done to machine N.
vm_pair_drill() {
  run_long - "$JAVA_HOME/bin/java" -XX:+UseSerialGC -Xmx256m -cp "$SLUICE_ROOT/loadtest/target/classes:$DIST/lib/*" \
    org.sluiceca.load.drill.machine.MachineDrillCommand --part "$1" --node "vm-$2" --seconds "${OPTION[seconds]}" --haproxy "$(command -v haproxy)" \
    --https-port "${OPTION[port]}" --management-port "${OPTION[management-port]}" --pid "${VM_PID[$2]}" --monitor "$VM_WORK/monitor-$2" \
    --data "$DATA" --database-port "$(postgres_port)" --work "$VM_WORK" --out "$VM_OUT/PAIR-$1.md" --commit "$(checkout_commit)" ||
    die "not every promise was kept: $VM_OUT/PAIR-$1.md"
}
