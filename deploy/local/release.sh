# shellcheck shell=bash
# `release build` makes the packages of a commit; `release check` makes a release twice from one commit and compares the two.
# docs/RELEASING.md says what each file is for.

readonly RELEASE_FILES=(ca-api.jar ca-api.cdx.json licences.txt sluice-client.cdx.json sluice-client.licences.txt)
# Put into the jar by Spring Boot's plugin itself, so no dependency that could be listed.
readonly RELEASE_UNLISTED='spring-boot-jarmode-tools-*.jar'
# Listed and not in the jar: ourselves, and names for sets of dependencies, whose own jars are empty.
readonly RELEASE_UNSHIPPED='/ca-api@|/spring-boot-starter[a-z-]*@'
# In the client's one jar, inside a library that is listed: Nimbus has them under names of its own.
readonly RELEASE_WITHIN='com.google.code.gson/gson com.github.stephenc.jcip/jcip-annotations'

release_command() {
  parse_options 'commit out' "$@"
  local action="${ARGUMENTS[*]:-}" commit out folder=release
  case "$action" in check) ;; build) folder=packages ;; *) bad_usage "release takes check or build" ;; esac
  prerequisites_to_run
  # shellcheck disable=SC2086 # a list of words
  require_tools git:git $PACKAGE_TOOLS
  commit="$(git -C "$SLUICE_ROOT" rev-parse --verify --quiet "${OPTION[commit]:-HEAD}^{commit}")" ||
    die "no such commit here: ${OPTION[commit]:-HEAD}"
  [ -n "${OPTION[commit]:-}" ] || git -C "$SLUICE_ROOT" diff --quiet HEAD || say "changes that are not committed are left out"
  out="$(absolute_path "${OPTION[out]:-$SLUICE_ROOT/target/$folder}")"
  make_work_directory
  RELEASE_WORK="$(mktemp -d)"
  # PostgreSQL of the training may run as another user.
  chmod 755 "$RELEASE_WORK"
  trap release_end EXIT
  trap 'exit 1' INT TERM
  PACKAGE_COMMIT="$commit" PACKAGE_EPOCH="$(git -C "$SLUICE_ROOT" log -1 --format=%ct "$commit")"
  "release_make_$folder" "$commit" "$out"
}

# release_make_packages COMMIT OUT: the packages alone, of one build.
release_make_packages() {
  local commit="$1" out="$2" made="$RELEASE_WORK/one/packages"
  release_build "$commit" "$RELEASE_WORK/one" Etc/UTC
  release_listed "$RELEASE_WORK/one/release" || die "the SBOM does not match the jar"
  release_client_listed "$RELEASE_WORK/one/release" || die "the client's SBOM does not match its jar"
  package_all "$RELEASE_WORK/one" "$RELEASE_WORK/one/release" "$made"
  (umask 022 && mkdir -p "$out" && cd "$made" && package_names | xargs -d '\n' sha256sum >SHA256SUMS && cp -f -- * "$out") ||
    die "cannot write to $out"
  say "packages of $commit: $out"
  package_sizes "$out"
}

# release_make_release COMMIT OUT
release_make_release() {
  local commit="$1" out="$2"
  # Folders and time zones that differ: neither may be in what comes out. The mask is, and is the launcher's for every build.
  release_build "$commit" "$RELEASE_WORK/one" Etc/UTC
  release_build "$commit" "$RELEASE_WORK/another-of-them" Pacific/Auckland
  release_compare "$RELEASE_WORK/one/release" "$RELEASE_WORK/another-of-them/release" || die "two builds of $commit differ"
  release_listed "$RELEASE_WORK/one/release" || die "the SBOM does not match the jar"
  release_client_listed "$RELEASE_WORK/one/release" || die "the client's SBOM does not match its jar"
  release_advisories "$RELEASE_WORK/one/release" || die "the release has libraries with known vulnerabilities, or a list that is too old: update them, or state in deploy/advisories/advisories.tsv why the product is not affected (docs/RELEASING.md)"
  release_images
  release_packages_agree || die "the packages of two builds of $commit differ"
  (umask 022 && mkdir -p "$out" && cd "$RELEASE_WORK/one/release" && cp -f -- "${RELEASE_FILES[@]}" "$out" &&
    cd "$out" && sha256sum "${RELEASE_FILES[@]}" >SHA256SUMS) || die "cannot write to $out"
  say "two builds of $commit are equal: $out"
  cat "$out/SHA256SUMS"
}

# Of both builds, without the start-up caches, of which no two are the same.
release_packages_agree() {
  local build
  for build in one another-of-them; do
    (PACKAGE_CACHES=no PACKAGE_QUICK=yes && package_all "$RELEASE_WORK/$build" "$RELEASE_WORK/$build/release" "$RELEASE_WORK/$build/packages") ||
      exit 1
  done
  package_compare "$RELEASE_WORK/one/packages" "$RELEASE_WORK/another-of-them/packages"
}

release_end() {
  trap '' INT TERM
  set +e
  [ -z "$LONG_CHILD" ] || kill -s TERM "$LONG_CHILD" 2>/dev/null
  rm -rf "$RELEASE_WORK"
}

# release_build COMMIT FOLDER ZONE: what is committed, and nothing that lies about. Its files end up in FOLDER/release.
release_build() {
  local commit="$1" folder="$2" zone="$3" log="$WORK/release.log" file
  say "building $commit in $folder (log $log)"
  (umask 022 && mkdir -p "$folder/release") || die "cannot write to $folder"
  git -C "$SLUICE_ROOT" archive "$commit" | (umask 022 && tar -x -C "$folder") || die "cannot unpack $commit"
  run_long "$log" release_maven "$folder" "$zone" ||
    { grep -m 5 ERROR "$log" >&2 || true; die "the build failed: see $log"; }
  mv "$folder"/ca-api/client/target/{sluice.jar,sluice-client.cdx.json} "$folder/release/" &&
    mv "$folder/ca-api/client/target/licences.txt" "$folder/release/sluice-client.licences.txt" || die "the build made no client: see $log"
  for file in "${RELEASE_FILES[@]}"; do
    [ ! -e "$folder/ca-api/target/$file" ] || mv "$folder/ca-api/target/$file" "$folder/release/"
    [ -s "$folder/release/$file" ] || die "the build made no $file: see $log (an offline Maven makes no list of parts)"
  done
  runtime_in_sbom "$folder/release/ca-api.cdx.json"
}

# Becomes Maven, in another tree than ours.
release_maven() {
  export TZ="$2"
  # By default Maven only warns of a download that has not the sum that the registry names.
  maven_in "$1" -B -ntp -q --strict-checksums -Prelease -DskipTests -Dspotless.check.skip=true -pl ca-api,ca-api/client -am package
}

# release_compare ONE OTHER: are the files of two builds the same? Names what differs, also inside the jar.
release_compare() {
  local file differs=no
  for file in "${RELEASE_FILES[@]}"; do
    cmp -s "$1/$file" "$2/$file" && continue
    differs=yes
    say "$file differs: $(sha256sum <"$1/$file" | cut -c 1-16)…, $(sha256sum <"$2/$file" | cut -c 1-16)…"
    case "$file" in
      *.jar) release_entries_that_differ "$1/$file" "$2/$file" ;;
      *) diff "$1/$file" "$2/$file" | head -n 10 >&2 ;;
    esac
  done
  [ "$differs" = no ]
}

# Where the contents are equal it is their order, dates or packing.
release_entries_that_differ() {
  local unpacked
  unpacked="$(mktemp -d -p "$RELEASE_WORK")"
  release_unpack "$1" "$unpacked/one"
  release_unpack "$2" "$unpacked/other"
  (cd "$unpacked" && diff -rq one other | head -n 20 >&2) || true
  rm -rf "$unpacked"
}

release_unpack() {
  mkdir -p "$2"
  (cd "$2" && "$JAVA_HOME/bin/jar" --extract --file "$1") || die "cannot unpack $1"
}

# release_listed FOLDER: does the SBOM name each library in the jar with its SHA-256, and nothing else?
release_listed() {
  local unpacked library name bad=no listed=0 shipped=0
  unpacked="$(mktemp -d -p "$RELEASE_WORK")"
  release_unpack "$1/ca-api.jar" "$unpacked"
  for library in "$unpacked"/BOOT-INF/lib/*.jar; do
    name="${library##*/}"
    # shellcheck disable=SC2053 # a pattern
    [[ "$name" != $RELEASE_UNLISTED ]] || continue
    shipped=$((shipped + 1))
    grep -qF "\"$(sha256sum <"$library" | cut -c 1-64)\"" "$1/ca-api.cdx.json" || { say "not in the SBOM: $name"; bad=yes; }
  done
  listed="$(grep -E '^ *"purl" *: *"pkg:maven/' "$1/ca-api.cdx.json" | grep -cvE "$RELEASE_UNSHIPPED" || true)"
  [ "$listed" -eq "$shipped" ] || { say "the SBOM has $listed libraries, the jar $shipped"; bad=yes; }
  rm -rf "$unpacked"
  [ "$bad" = no ]
}

# release_client_listed FOLDER: the client is one jar of several, without their checksums. Is each that says its version in it in the
# SBOM with that version, and does each folder of classes belong to a library in the SBOM, and each library have one?
release_client_listed() {
  local unpacked file key name bad=no
  unpacked="$(mktemp -d -p "$RELEASE_WORK")"
  release_unpack "$1/sluice.jar" "$unpacked"
  while IFS= read -r file; do
    name="$(sed -n 's/^groupId=//p' "$file")/$(sed -n 's/^artifactId=//p' "$file")"
    [[ " $RELEASE_WITHIN " != *" $name "* ]] || continue
    key="\"pkg:maven/$name@$(sed -n 's/^version=//p' "$file" | tr -d '\r')?"
    grep -qF "$key" "$1/sluice-client.cdx.json" || { say "in the client's jar, not in its SBOM: $name"; bad=yes; }
  done < <(find "$unpacked/META-INF/maven" -name pom.properties)
  release_client_folders "$unpacked" "$1/sluice-client.cdx.json" || bad=yes
  rm -rf "$unpacked"
  [ "$bad" = no ]
}

# release_client_folders UNPACKED SBOM: compares the first two folders of classes with the first two words of the groups; picocli has one.
release_client_folders() {
  local differ
  differ="$(diff <(cd "$1" && find . -name '*.class' ! -path './META-INF/*' | cut -d/ -f2,3 | sed 's#^picocli/.*#info/picocli#' | LC_ALL=C sort -u) \
    <(sed -n 's#^ *"purl" *: *"pkg:maven/\([^./]*\)\.\([^./]*\).*#\1/\2#p' "$2" | LC_ALL=C sort -u))" ||
    { say "classes of the client (<) and libraries in its SBOM (>) differ: $(grep '^[<>]' <<<"$differ" | paste -sd' ')"; return 1; }
}

# release_advisories FOLDER: is no library in an SBOM, nor the Java runtime, affected by a published vulnerability? The list may be a
# month older than the commit: who builds it again a year later gets the same answer.
release_advisories() {
  local list status=0 day
  day="$(date --utc --date="@$PACKAGE_EPOCH" +%F)"
  for list in ca-api sluice-client; do
    "$JAVA_HOME/bin/java" "$SLUICE_ROOT/deploy/advisories/Advisories.java" "$SLUICE_ROOT/deploy/advisories/advisories.tsv" "$1/$list.cdx.json" "$day" || status=1
  done
  return "$status"
}

# Images of others that compose files name by a tag, which may mean another image tomorrow. A build reaches no registry.
release_images() {
  local tags
  tags="$(grep -hoE '\$\{SLUICE_[A-Z]+_IMAGE:-[^}]*\}|^ARG BASE=.*' "$SLUICE_ROOT"/deploy/compose/{compose.yaml,monitoring.yaml,Containerfile} |
    grep -v -e ':local}' -e '@sha256:' | sed -E 's/^.*(:-|=)//; s/\}$//' | tr '\n' ' ')"
  [ -z "$tags" ] || say "named by tag, not by digest: ${tags% }; before you publish: ./sluice compose pin (docs/RELEASING.md)"
}
