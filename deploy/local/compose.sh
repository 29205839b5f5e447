# shellcheck shell=bash
# `compose`: a trial in containers. The images are made of this checkout; Docker and its compose are the user's.
# docs/CONTAINERS.md.

readonly COMPOSE_FILES="$SLUICE_ROOT/deploy/compose"
readonly COMPOSE_UP_SECONDS=600
# The launcher's parts that a trial's containers run, too.
readonly COMPOSE_TRIAL_PARTS='common softhsm ceremony'

compose() {
  local action="${1:-}"
  [ $# -eq 0 ] || shift
  case "$action" in
    image) compose_image "$@" ;;
    up) compose_up "$@" ;;
    down) compose_down "$@" ;;
    pin) compose_pin "$@" ;;
    *) bad_usage "compose image, compose pin, compose up or compose down, not '$action'" ;;
  esac
}

compose_image() {
  parse_options 'base tag' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "compose image takes no argument: '${ARGUMENTS[0]}'"
  compose_engine
  compose_build_images
  say "made sluice-node:$COMPOSE_TAG and sluice-trial:$COMPOSE_TAG"
}

# Ends, with what is missing, where no engine answers.
compose_engine() {
  have docker || missing_prerequisite "no docker: https://docs.docker.com/engine/install/"
  timeout 20 docker version --format '{{.Server.Version}}' >/dev/null 2>&1 ||
    missing_prerequisite "no Docker engine answers: $(timeout 20 docker version 2>&1 >/dev/null | last_line)"
}

compose_plugin() {
  timeout 20 docker compose version >/dev/null 2>&1 || missing_prerequisite "docker has no compose: install its plugin, version 2 or later"
}

last_line() { tail -n 1 | cut -c 1-300; }

# Sets COMPOSE_TAG. What has not changed the engine takes from its own cache.
compose_build_images() {
  local work name base="${OPTION[base]:-$(cat "$COMPOSE_FILES/base-image" 2>/dev/null || true)}"
  prerequisites_to_run
  make_work_directory
  COMPOSE_TAG="${OPTION[tag]:-local}"
  [[ "$COMPOSE_TAG" =~ ^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$ ]] || bad_usage "--tag is a tag of an image, not '$COMPOSE_TAG'"
  # What is made here is read by others in the image.
  umask 022
  mkdir -p "$SLUICE_ROOT/var"
  COMPOSE_WORK="$(mktemp -d)"
  work="$COMPOSE_WORK/context"
  trap 'rm -rf "$COMPOSE_WORK"' EXIT
  package_checkout "$COMPOSE_WORK/tree" "$SLUICE_ROOT/var"
  # What changes seldom is a layer of its own.
  mkdir "$work"
  mv "$COMPOSE_WORK/tree/usr/lib/sluice/"{jre,lib} "$work/"
  mv "$COMPOSE_WORK/tree/usr/lib/sluice" "$work/node"
  mv "$COMPOSE_WORK/tree/usr/bin/sluice" "$work/sluice"
  cp "$COMPOSE_FILES/Containerfile" "$COMPOSE_FILES/ready" "$work/"
  mkdir "$work/trial"
  cp "$COMPOSE_FILES/trial.sh" "$work/trial/"
  for name in $COMPOSE_TRIAL_PARTS; do
    cp "$SLUICE_ROOT/deploy/local/$name.sh" "$work/trial/"
  done
  chmod -R u=rwX,go=rX "$work"
  # A layer is the same if its files are: dates of the commit, as in the machine template.
  find "$work" -exec touch --no-dereference --date="@$PACKAGE_EPOCH" {} +
  for name in node trial; do
    say "the image sluice-$name:$COMPOSE_TAG"
    run_long "$WORK/image.log" docker build --quiet --file "$work/Containerfile" --target "$name" --tag "sluice-$name:$COMPOSE_TAG" \
      ${base:+--build-arg "BASE=$base"} "$work" ||
      die "docker build failed: $(last_line <"$WORK/image.log") (log $WORK/image.log)"
  done
}

# Names each image of others by the digest that its tag has in the registry now: in .env next to compose.yaml, which compose
# reads, and in base-image, which `compose image` reads. Asks the registry through the user's Docker; nothing is pulled.
compose_pin() {
  parse_options '' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "compose pin takes no argument: '${ARGUMENTS[0]}'"
  have docker || missing_prerequisite "no docker: https://docs.docker.com/engine/install/"
  local line name image digest pinned=''
  while IFS='=' read -r name image; do
    digest="$(timeout 60 docker buildx imagetools inspect "${image%%@*}" --format '{{json .Manifest.Digest}}' 2>&1 | tr -d '"\n')" || true
    [[ "$digest" =~ ^sha256:[0-9a-f]{64}$ ]] || die "the registry names no digest of $image: $(cut -c 1-200 <<<"$digest")"
    line="$name=${image%%@*}@$digest"
    say "$line"
    pinned+="$line"$'\n'
  done < <(compose_foreign_images)
  (umask 022 && grep -v '^BASE=' <<<"${pinned%$'\n'}" >"$COMPOSE_FILES/.env.new" && sed -n 's/^BASE=//p' <<<"$pinned" >"$COMPOSE_FILES/base-image.new" &&
    mv -f "$COMPOSE_FILES/.env.new" "$COMPOSE_FILES/.env" && mv -f "$COMPOSE_FILES/base-image.new" "$COMPOSE_FILES/base-image") ||
    die "cannot write to $COMPOSE_FILES"
}

# NAME=IMAGE for each image of others: SLUICE_…_IMAGE of the compose files, BASE of the Containerfile.
compose_foreign_images() {
  sed -nE 's/.*\$\{(SLUICE_[A-Z]+_IMAGE):-([^}]*)\}.*/\1=\2/p' "$COMPOSE_FILES/compose.yaml" "$COMPOSE_FILES/monitoring.yaml" | grep -v ':local$'
  sed -nE 's/^ARG (BASE=.*)/\1/p' "$COMPOSE_FILES/Containerfile"
}

# docker compose with what the user set: a project of its own for each --data, so that two trials can stand side by side.
compose_here() { docker compose --project-name "$COMPOSE_PROJECT" --file "$COMPOSE_FILES/compose.yaml" "$@"; }

compose_project() {
  [ -n "${CHOSEN[data]:-}" ] || OPTION[data]="$SLUICE_ROOT/var/compose"
  COMPOSE_PROJECT="${OPTION[project]:-sluice}"
  [[ "$COMPOSE_PROJECT" =~ ^[a-z0-9][a-z0-9_-]{0,40}$ ]] || bad_usage "--project is of a-z 0-9 _ -, not '$COMPOSE_PROJECT'"
}

compose_up() {
  parse_options 'data base tag project' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "compose up takes no argument: '${ARGUMENTS[0]}'"
  compose_project
  compose_engine
  compose_plugin
  (compose_build_images) || exit
  export SLUICE_TRIAL_IMAGE="${SLUICE_TRIAL_IMAGE:-sluice-trial:${OPTION[tag]:-local}}"
  say "starting the containers"
  # --wait would call a container that has done its one thing a failure, unless nodes alone are named.
  run_long - compose_here up --detach --wait --wait-timeout "$COMPOSE_UP_SECONDS" --quiet-pull node-0 node-1 ||
    die "the containers did not come up: docker compose --project-name $COMPOSE_PROJECT logs"
  compose_papers
  compose_announce
}

# What clients need: the ceremony's public papers and the first tokens of requesters.
compose_papers() {
  use_data make
  compose_here run --rm --no-deps --interactive=false --no-TTY --entrypoint tar ceremony -c -C /data root.pem chain.pem admin.token enroll.token acme-eab.json </dev/null |
    tar -x --no-same-owner -C "$DATA" || die "the ceremony's papers cannot be read"
}

compose_announce() {
  local port
  port="$(compose_here port node-0 8443)"
  printf 'ready 2 node(s) https://localhost:%s data=%s\n' "${port##*:}" "$DATA"
  first_certificate "https://localhost:${port##*:}"
}

compose_down() {
  local volumes=()
  parse_options 'data project volumes' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "compose down takes no argument: '${ARGUMENTS[0]}'"
  compose_project
  compose_engine
  compose_plugin
  [ "${OPTION[volumes]:-false}" = false ] || volumes=(--volumes)
  run_long - compose_here down "${volumes[@]}" || die "the containers did not end"
  if [ ${#volumes[@]} -gt 0 ]; then
    say "stopped; keys, ledger and tokens are gone"
  else
    say "stopped; keys and ledger are kept in volumes (--volumes deletes them)"
  fi
}
