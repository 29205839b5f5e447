# shellcheck shell=bash
# `vm`: a template for virtual machines, an audit of its files, what a machine of it joins with, and boots of it here.
# docs/VM.md.

vm() {
  local action="${1:-}" part
  [ $# -eq 0 ] || shift
  for part in image baseline join machine boot pair; do
    # shellcheck source=/dev/null
    source "$SLUICE_ROOT/deploy/vm-template/$part.sh"
  done
  case "$action" in
    build) vm_build "$@" ;;
    baseline) vm_baseline "$@" ;;
    seed) vm_seed "$@" ;;
    desk) vm_desk "$@" ;;
    boot) vm_boot "$@" ;;
    pair) vm_pair "$@" ;;
    *) bad_usage "vm build, vm baseline, vm seed, vm desk, vm boot or vm pair, not '$action'" ;;
  esac
}
