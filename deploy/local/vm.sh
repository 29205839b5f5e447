# shellcheck shell=bash
# `vm`: a template for virtual machines, what a machine of it joins with, and a boot of it here. docs/VM.md.

vm() {
  local action="${1:-}" part
  [ $# -eq 0 ] || shift
  for part in image join boot; do
    # shellcheck source=/dev/null
    source "$SLUICE_ROOT/deploy/vm-template/$part.sh"
  done
  case "$action" in
    build) vm_build "$@" ;;
    seed) vm_seed "$@" ;;
    desk) vm_desk "$@" ;;
    boot) vm_boot "$@" ;;
    *) bad_usage "vm build, vm seed, vm desk or vm boot, not '$action'" ;;
  esac
}
