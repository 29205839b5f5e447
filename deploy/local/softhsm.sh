# shellcheck shell=bash
# Two SoftHSM tokens under DIR/softhsm, each with a directory, a configuration and a PIN of its own:
# the nodes are given the issuing token only; the root's PIN is read by the ceremony alone.

# Sets TOKEN_MODULE, TOKEN_LABEL, TOKEN_PIN_FILE (the token that signs) and SOFTHSM_MODULE.
prepare_tokens() {
  SOFTHSM_MODULE="$(find_softhsm)" || missing_prerequisite "libsofthsm2.so not found: install the package softhsm2"
  make_token root
  TOKEN_MODULE="${OPTION[pkcs11-module]}"
  TOKEN_LABEL="${OPTION[token-label]}"
  TOKEN_PIN_FILE="${OPTION[pin-file]}"
  # Another module may be a SoftHSM of the user's own: its configuration is left as it is.
  TOKEN_ENVIRONMENT=()
  [ -z "$TOKEN_MODULE" ] || return 0
  make_token issuing
  TOKEN_MODULE="$SOFTHSM_MODULE"
  TOKEN_LABEL=sluice-issuing
  TOKEN_PIN_FILE="$DATA/secrets/issuing.pin"
  TOKEN_ENVIRONMENT=("SOFTHSM2_CONF=$DATA/softhsm/issuing/softhsm2.conf")
}

find_softhsm() {
  local library
  for library in /usr/lib/softhsm /usr/lib/*/softhsm /usr/local/lib/softhsm /usr/lib64/softhsm /usr/lib64/pkcs11; do
    if [ -r "$library/libsofthsm2.so" ]; then
      printf '%s\n' "$library/libsofthsm2.so"
      return 0
    fi
  done
  return 1
}

make_token() {
  local name="$1" home="$DATA/softhsm/$1"
  # A new token in place of one that is lost would have other keys: no node could sign for the issuers of the ledger.
  if [ -s "$DATA/settings" ] && [ -s "$DATA/secrets/$name.pin" ] && [ -z "$(ls -A "$home/tokens" 2>/dev/null)" ]; then
    die "the token sluice-$name is missing from $home/tokens, and with it the keys of this trial: restore the folder from a backup, or start a new trial with another --data"
  fi
  mkdir -p "$home/tokens"
  # Rewritten each time: it holds an absolute path, and DIR may have moved.
  cat >"$home/softhsm2.conf" <<CONF
directories.tokendir = $home/tokens
objectstore.backend = file
log.level = ERROR
slots.removable = false
CONF
  ! token_is_there "$name" || return 0
  if [ -n "$(ls -A "$home/tokens")" ]; then
    die "$home/tokens holds something, but no token sluice-$name: restore it, or start afresh with another --data"
  fi
  say "making the token sluice-$name"
  ensure_secret "$DATA/secrets/$name.pin"
  ensure_secret "$DATA/secrets/$name.so-pin"
  local try
  for try in 1 2 3; do
    initialize_token "$name" || true
    ! token_is_there "$name" || return 0
  done
  die "softhsm2-util cannot make the token sluice-$name in $home/tokens after $try tries"
}

# A token without its PIN is lost: better said here than by a node that tries a wrong one.
token_is_there() {
  local shown
  shown="$(SOFTHSM2_CONF="$DATA/softhsm/$1/softhsm2.conf" softhsm2-util --show-slots 2>/dev/null)" ||
    die "softhsm2-util cannot read $DATA/softhsm/$1"
  grep -qE "^ *Label: *sluice-$1 *$" <<<"$shown" || return 1
  [ -s "$DATA/secrets/$1.pin" ] || die "the token sluice-$1 is there, but not its PIN: $DATA/secrets/$1.pin"
}

# softhsm2-util takes PINs from its command line, which everyone can read, or from a terminal: `script`
# is that terminal. It asks for each PIN twice.
initialize_token() {
  local name="$1" pin so_pin
  pin="$(cat "$DATA/secrets/$name.pin")"
  so_pin="$(cat "$DATA/secrets/$name.so-pin")"
  printf '%s\n' "$so_pin" "$so_pin" "$pin" "$pin" |
    SOFTHSM2_CONF="$DATA/softhsm/$name/softhsm2.conf" SHELL=/bin/sh timeout 20 \
      script --quiet --return --command "softhsm2-util --init-token --free --label sluice-$name" /dev/null >/dev/null 2>&1
}
