# shellcheck shell=bash
# The previous release (deploy/previous-release), built once from the git history and kept in target/previous. For upgrade.sh
# and package.sh, which have HERE, WORK and fail. Sourced.

CHECKOUT="$(readlink -f "$HERE/../../..")"

previous_commit() { sed -n '/^[0-9a-f]\{40\}$/p' "$CHECKOUT/deploy/previous-release"; }

# Whether this clone's history goes back to it.
has_history() { git -C "$CHECKOUT" cat-file -e "$(previous_commit)^{commit}" 2>/dev/null; }

# Whether ours changes its schema.
migrates_it() {
  [ -n "$(git -C "$CHECKOUT" diff --name-only --diff-filter=A "$(previous_commit)" -- ca-api/src/main/resources/db/migration)" ]
}

# Sets PREVIOUS: a folder with the previous release's files (tree) and its distribution (dist), built once.
previous_release() {
  local commit new
  commit="$(previous_commit)"
  PREVIOUS="$CHECKOUT/target/previous/$commit"
  new="$PREVIOUS.new"
  [ ! -f "$PREVIOUS/dist/ca-api.jar" ] || return 0
  rm -rf "$PREVIOUS" "$new"
  mkdir -p "$new/tree"
  git -C "$CHECKOUT" archive "$commit" | tar -x -C "$new/tree" || { fail "cannot unpack $commit"; return 1; }
  say "building $commit"
  if ! (
    cd "$new/tree" && umask 022 &&
      ./mvnw -B -ntp -q -DskipTests -Dspotless.check.skip=true -pl ca-api -am package >"$WORK/build.log" 2>&1 &&
      "$JAVA_HOME/bin/java" -Djarmode=tools -jar ca-api/target/ca-api.jar extract --destination "$new/dist" >>"$WORK/build.log" 2>&1
  ); then
    tail -n 5 "$WORK/build.log" >&2
    fail "the previous release does not build"
    return 1
  fi
  # Training takes longer than it saves here.
  : >"$new/dist/ca-api.aot.failed"
  # Whole or not at all.
  mv -T "$new" "$PREVIOUS"
}
