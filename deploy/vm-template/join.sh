# shellcheck shell=bash
# `vm seed` and `vm desk`: what a new machine is given, and where it gets what no seed may carry (ADR 0043).

readonly VM_SEED_OPTIONS='data desk-dir out node desk settings valid-hours network-config'

# The desk's folder: its key, and who is invited. What machines get is never in it.
vm_desk_folder() {
  VM_DESK="$(absolute_path "${OPTION[desk-dir]:-${OPTION[data]}/desk}")"
  [ -s "$VM_DESK/tls.p12" ] && return
  mkdir -p "$VM_DESK/invitations"
  ensure_secret "$VM_DESK/tls.password"
  "$JAVA_HOME/bin/keytool" -genkeypair -alias desk -keyalg EC -groupname secp256r1 -dname CN=sluice-desk -validity 3650 \
    -storetype PKCS12 -keystore "$VM_DESK/tls.p12.new" -storepass:file "$VM_DESK/tls.password" >/dev/null 2>&1 || die "keytool failed"
  mv "$VM_DESK/tls.p12.new" "$VM_DESK/tls.p12"
}

# What seeds pin: SHA-256 of the desk's subjectPublicKeyInfo, as curl writes it.
vm_desk_key() {
  openssl pkcs12 -in "$VM_DESK/tls.p12" -nokeys -passin "file:$VM_DESK/tls.password" 2>/dev/null |
    openssl x509 -pubkey -noout | openssl pkey -pubin -outform DER | openssl dgst -sha256 -binary | base64
}

# The secret is known to the seed alone: the desk keeps its hash.
vm_seed() {
  parse_options "$VM_SEED_OPTIONS" "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "vm seed takes no argument: '${ARGUMENTS[0]}'"
  local name secret key seed
  for name in node desk settings out; do
    [ -n "${OPTION[$name]:-}" ] || bad_usage "vm seed needs --$name"
  done
  [[ "${OPTION[node]}" =~ ^[a-z0-9][a-z0-9-]{0,62}$ ]] || bad_usage "--node is a host name, not '${OPTION[node]}'"
  [[ "${OPTION[desk]}" =~ ^([A-Za-z0-9.-]+|\[[0-9a-fA-F:.]+\]):[0-9]{1,5}$ ]] || bad_usage "--desk is HOST:PORT, not '${OPTION[desk]}'"
  [ -n "${CHOSEN[valid-hours]:-}" ] || choose valid-hours 1
  require_number valid-hours 1 168
  require_file settings
  prerequisites_to_run
  require_tools genisoimage:genisoimage
  vm_desk_folder
  key="$(vm_desk_key)" || die "the desk's certificate in $VM_DESK/tls.p12 cannot be read"
  secret="$(random_hex)$(random_hex)"
  VM_SEED_WORK="$(mktemp -d)"
  trap 'rm -rf "$VM_SEED_WORK"' EXIT
  seed="$VM_SEED_WORK"
  {
    # The settings first: what is said twice is refused. Comments stay here, but lines keep their numbers.
    sed 's/\r$//; s/^[[:space:]]*#.*//' "${OPTION[settings]}"
    printf 'SLUICE_NODE_NAME=%s\nJOIN_DESK=%s\nJOIN_KEY=sha256//%s\nJOIN_SECRET=%s\n' "${OPTION[node]}" "${OPTION[desk]}" "$key" "$secret"
  } >"$seed/seed"
  # By the machine's own eyes, before a PIN is on a disk that lies about.
  "$SLUICE_ROOT/deploy/vm-template/root/usr/lib/sluice/join" check "$seed/seed" >"$seed/refusal" ||
    die "${OPTION[settings]}: $(sed 's/^sluice-join: //' "$seed/refusal")"
  vm_write_user_data "$seed"
  printf 'instance-id: %s-%s\nlocal-hostname: %s\n' "${OPTION[node]}" "$(printf '%s' "$secret" | sha256sum | cut -c 1-12)" "${OPTION[node]}" >"$seed/meta-data"
  local files=(user-data meta-data)
  if [ -n "${OPTION[network-config]:-}" ]; then
    cp "${OPTION[network-config]}" "$seed/network-config"
    files+=(network-config)
  fi
  (cd "$seed" && genisoimage -quiet -volid CIDATA -joliet -rock -output seed.iso "${files[@]}") || die "genisoimage failed"
  printf '%s\n%s\n' "${OPTION[node]}" "$(($(date +%s) + OPTION[valid-hours] * 3600))" >"$VM_DESK/invitations/new"
  mv "$VM_DESK/invitations/new" "$VM_DESK/invitations/$(printf '%s' "$secret" | sha256sum | cut -c 1-64)"
  mv -f "$seed/seed.iso" "${OPTION[out]}"
  say "seed of ${OPTION[node]}: ${OPTION[out]}, good for one machine within ${OPTION[valid-hours]} h"
}

vm_write_user_data() {
  printf '#cloud-config\nwrite_files:\n- path: /etc/sluice/seed\n  permissions: "0600"\n  encoding: b64\n  content: %s\n' "$(base64 -w 0 "$1/seed")" \
    >"$1/user-data"
  rm -f "$1/seed"
}

# Runs until interrupted. PIN and password are read once from their files and then held in memory alone.
vm_desk() {
  parse_options 'data desk-dir bind port pin-file database-password-file hsm-client' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "vm desk takes no argument: '${ARGUMENTS[0]}'"
  [ -n "${OPTION[pin-file]}" ] || bad_usage "vm desk needs --pin-file and --database-password-file"
  [ -n "${OPTION[database-password-file]}" ] || bad_usage "vm desk needs --pin-file and --database-password-file"
  [ -n "${CHOSEN[port]:-}" ] || OPTION[port]=7443
  require_number port 1 65535
  require_file pin-file
  require_file database-password-file
  prerequisites_to_run
  [ -z "${OPTION[hsm-client]:-}" ] || require_file hsm-client
  vm_desk_folder
  say "the desk's key is sha256//$(vm_desk_key)"
  exec "$JAVA_HOME/bin/java" -XX:+UseSerialGC -Xmx128m -XX:TieredStopAtLevel=1 "$SLUICE_ROOT/deploy/vm-template/JoinDesk.java" \
    "$VM_DESK" "${OPTION[bind]}" "${OPTION[port]}" < <(vm_pack_credentials)
}

# A tar on standard output, made from links: no copy of a secret is on a disk, not even for a moment.
vm_pack_credentials() {
  local pack files=(hsm-pin database-password)
  pack="$(mktemp -d)"
  ln -s "$(realpath "${OPTION[pin-file]}")" "$pack/hsm-pin"
  ln -s "$(realpath "${OPTION[database-password-file]}")" "$pack/database-password"
  if [ -n "${OPTION[hsm-client]:-}" ]; then
    ln -s "$(realpath "${OPTION[hsm-client]}")" "$pack/hsm-client.tar"
    files+=(hsm-client.tar)
  fi
  tar -chf - -C "$pack" "${files[@]}"
  rm -rf "$pack"
}
