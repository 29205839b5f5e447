# shellcheck shell=bash
# The packages of a release: a node with a Java runtime of its own as a tar archive and as a Debian package, and the client
# alone as a zip. One tree of files is made and packed twice. docs/adr/0078-packages.md.

readonly PACKAGE_TOOLS='dpkg-deb:dpkg zip:zip xz:xz-utils gzip:gzip'
# Of a release; release_build brings them.
readonly PACKAGE_LISTS=(ca-api.cdx.json licences.txt sluice-client.cdx.json sluice-client.licences.txt)
readonly PACKAGE_MAINTAINER='Sluice maintainers <maintainers@sluiceca.org>'

# package_all SOURCE BUILT OUT: packs what was built of the sources in SOURCE: BUILT has ca-api.jar, sluice.jar and the lists.
# PACKAGE_EPOCH is the time of the commit in seconds, PACKAGE_COMMIT its name. PACKAGE_CACHES=no leaves out the start-up caches,
# which differ from build to build; PACKAGE_QUICK=yes compresses little; PACKAGE_RUNTIMES is a folder with Java runtimes to use
# again. Takes a minute or two, with the caches two more.
package_all() {
  local source="$1" built="$2" out="$3" work="$3.work"
  [ "$(uname -m)" = x86_64 ] || missing_prerequisite "packages are for x86_64, and made there: this is $(uname -m)"
  [ -d "$source/deploy/package" ] || die "this commit is older than the packages: it has no deploy/package"
  PACKAGE_VERSION="$(package_version "$source/pom.xml")"
  [ -n "$PACKAGE_VERSION" ] || die "no version in $source/pom.xml"
  # Neither folder nor zone nor the user's mask is in what comes out.
  export SOURCE_DATE_EPOCH="$PACKAGE_EPOCH" TZ=UTC
  umask 022
  rm -rf "$work"
  mkdir -p "$work" "$out" || die "cannot write to $out"
  package_tree "$source" "$built" "$work"
  [ "${PACKAGE_CACHES:-yes}" = no ] || package_caches "$source" "$work/tree"
  package_level "$work/tree"
  package_tar "$work" "$out"
  package_deb "$source" "$work" "$out"
  package_client "$source" "$built" "$work" "$out"
  (cd "$built" && install -m 644 -t "$out" -- "${PACKAGE_LISTS[@]}") || die "cannot write to $out"
  rm -rf "$work"
}

# package_version POM: the first version in it that is indented as the project's own.
package_version() { sed -n 's:^  <version>\(.*\)</version>$:\1:p' "$1" | sed 1q; }

# package_debian_version VERSION: what dpkg compares. A tilde sorts before nothing, so that a release is newer than what came
# before it; of two snapshots the later commit is newer. 0.2.0-SNAPSHOT becomes 0.2.0~snapshot.20261128233000.
package_debian_version() {
  local version="${1,,}"
  [[ "$version" != *-snapshot ]] || version+=".$(date --utc --date="@$PACKAGE_EPOCH" +%Y%m%d%H%M%S)"
  printf '%s' "${version//-/\~}"
}

package_names() {
  printf '%s\n' "sluice-$PACKAGE_VERSION-linux-x86_64.tar.gz" "sluice_$(package_debian_version "$PACKAGE_VERSION")_amd64.deb" \
    "sluice-client-$PACKAGE_VERSION.zip" "${PACKAGE_LISTS[@]}"
}

# package_tree SOURCE BUILT WORK: makes WORK/tree, the files as they are below / on a machine.
package_tree() {
  local source="$1" built="$2" tree="$3/tree" files="$1/deploy/package"
  local share="$tree/usr/share" doc="$tree/usr/share/doc/sluice"
  say "the files of the packages"
  mkdir -p "$share"/{man/man{1,8},bash-completion/completions,zsh/vendor-completions,fish/vendor_completions.d} "$doc"/{examples,protocols,acme} \
    "${PACKAGE_RUNTIMES:-$3}"
  PACKAGE_RUNTIMES="${PACKAGE_RUNTIMES:-$3}" package_program "$source" "$built" "$tree"
  cp "$source"/docs/*.md "$source/CHANGELOG.md" "$source/NOTICE" "$files/debian/copyright" "$doc/" &&
    cp "$source"/docs/protocols/*.md "$doc/protocols/" && cp "$source"/docs/acme/*.md "$doc/acme/" &&
    cp "$files/node.env" "$doc/examples/" && (cd "$built" && cp -- "${PACKAGE_LISTS[@]}" "$doc/") ||
    die "cannot make the files of the packages"
  package_shell "$files" "$tree/usr/lib/sluice" "$share"
}

# package_program SOURCE BUILT TREE: what each machine with a node has below TREE: packages, machine template, container images.
# PACKAGE_RUNTIMES is the folder of Java runtimes.
package_program() {
  local source="$1" built="$2" files="$1/deploy/package" lib="$3/usr/lib/sluice" share="$3/usr/share/sluice" log="$WORK/package.log"
  mkdir -p "$3/usr/"{bin,lib/systemd/system} "$share"/{profiles,alerts,dashboards} "$PACKAGE_RUNTIMES"
  "$JAVA_HOME/bin/java" -Djarmode=tools -jar "$built/ca-api.jar" extract --destination "$lib" >"$log" 2>&1 ||
    die "cannot unpack the jar (log $log)"
  unsign "$lib"/lib/bcprov-*.jar
  unsign "$lib"/lib/AmazonCorrettoCryptoProvider-*.jar
  java_runtime "$PACKAGE_RUNTIMES"
  cp -rT "$JAVA_RUNTIME" "$lib/jre" && cp "$built/sluice.jar" "$lib/" && install -m 755 "$files"/{node,migrate} "$lib/" &&
    install -m 755 "$files/sluice" "$3/usr/bin/sluice" && cp "$files"/sluice{,-migrate}.service "$3/usr/lib/systemd/system/" &&
    printf 'sluice %s\ncommit %s\njava %s\n' "$PACKAGE_VERSION" "${PACKAGE_COMMIT:-unknown}" "$(jdk_version)" >"$lib/version" &&
    cp "$source"/deploy/profiles/*.yaml "$share/profiles/" && cp "$source"/deploy/alerts/*.yaml "$share/alerts/" &&
    cp "$source"/deploy/dashboards/*.json "$share/dashboards/" || die "cannot make the files of the program"
}

# package_checkout TREE RUNTIMES: the program of this checkout below TREE, with its start-up caches, for template and images.
# Sets PACKAGE_VERSION, PACKAGE_COMMIT, PACKAGE_EPOCH.
package_checkout() {
  local built
  built="$(mktemp -d)"
  build
  cp "$SLUICE_ROOT/ca-api/target/ca-api.jar" "$SLUICE_ROOT/ca-api/client/target/sluice.jar" "$built/" ||
    die "no jars in $SLUICE_ROOT/ca-api/target: a distribution of its own (SLUICE_DIST) makes no image"
  PACKAGE_VERSION="$(package_version "$SLUICE_ROOT/pom.xml")"
  PACKAGE_COMMIT="$(git -C "$SLUICE_ROOT" describe --always --dirty --abbrev=12 2>/dev/null || printf unknown)"
  PACKAGE_EPOCH="$(git -C "$SLUICE_ROOT" log -1 --format=%ct 2>/dev/null || printf 1767225600)"
  PACKAGE_RUNTIMES="$2" package_program "$SLUICE_ROOT" "$built" "$1"
  rm -rf "$built"
  package_caches "$SLUICE_ROOT" "$1"
  package_level "$1"
}

# The manual pages and the completion of the client, which prints its own.
package_shell() {
  local files="$1" share="$3" client=("$2/jre/bin/java" -jar "$2/sluice.jar")
  "${client[@]}" man --out "$share/man/man1" && "${client[@]}" completion bash | sed '1{/^#!/d}' >"$share/bash-completion/completions/sluice" &&
    "${client[@]}" completion zsh >"$share/zsh/vendor-completions/_sluice" &&
    "${client[@]}" completion fish >"$share/fish/vendor_completions.d/sluice.fish" &&
    sed "s/@VERSION@/$PACKAGE_VERSION/" "$files/sluice.service.8" >"$share/man/man8/sluice.service.8" &&
    gzip -9n "$share"/man/man?/*.? || die "cannot make the manual pages"
}

# package_level TREE: what anyone may read, of the time of the commit.
package_level() {
  chmod -R u=rwX,go=rX "$1" && find "$1" -print0 | xargs -0 touch --no-dereference --date="@$PACKAGE_EPOCH" ||
    die "cannot set the modes and dates of $1"
}

# package_caches SOURCE TREE: trains the start-up caches of node and client by the runtime of the packages. They hold sizes and
# dates of the jars, not their folder; the launcher of SOURCE runs the trial.
package_caches() {
  local source="$1" lib="$2/usr/lib/sluice" log="$WORK/package-training.log"
  package_level "$2"
  fetch_postgres
  if [ ! -e "$source/ca-api/target/postgres" ]; then
    mkdir -p "$source/ca-api/target" && ln -s "$POSTGRES_ROOT" "$source/ca-api/target/postgres" || die "cannot write to $source"
  fi
  say "training the start-up caches (log $log)"
  # shellcheck disable=SC2016 # expanded in the inner shell
  run_long "$log" env SLUICE_DIST="$lib" SLUICE_NODE_JAVA="$lib/jre/bin/java" SLUICE_CONFIG=/dev/null bash -c '
    set -euo pipefail
    umask 077
    SLUICE_ROOT="$1" DATA="$(mktemp -d)"
    trap "rm -rf \"\$DATA\"" EXIT
    for part in common options process prerequisites build nodes training load; do source "$SLUICE_ROOT/deploy/local/$part.sh"; done
    make_work_directory
    train_nodes || status=$?
    cat "$DATA/training.log"
    [ -s "$DIST/ca-api.aot" ] || exit 1
    JAVA_HOME="$SLUICE_DIST/jre" client_cache' train "$source" || die "the training failed: $(last_words "$log") (log $log)"
  [ -s "$lib/ca-api.aot" ] && [ -s "$lib/sluice.aot" ] || die "the training wrote no caches (log $log)"
  rm -f "$lib"/.training "$lib"/.no-token
}

# package_tar WORK OUT: runs from any folder.
package_tar() {
  local name="sluice-$PACKAGE_VERSION"
  say "the tar archive"
  mv "$1/tree/usr" "$1/$name" &&
    tar --create --directory "$1" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner "$name" |
    gzip -n "-$([ "${PACKAGE_QUICK:-no}" = yes ] && echo 1 || echo 9)" >"$2/$name-linux-x86_64.tar.gz" &&
    mv "$1/$name" "$1/tree/usr" || die "tar failed"
}

# package_deb SOURCE WORK OUT: the same tree with changelog, control files and scripts, its documents compressed as Debian does it.
package_deb() {
  local files="$1/deploy/package/debian" tree="$2/tree" out="$3" doc="$2/tree/usr/share/doc/sluice" version size script
  local compression=(-Zxz -z6)
  [ "${PACKAGE_QUICK:-no}" = no ] || compression=(-Zgzip -z1)
  version="$(package_debian_version "$PACKAGE_VERSION")"
  say "the Debian package"
  find "$doc" -type f ! -name copyright ! -path '*/examples/*' -size +8 -exec gzip -9n {} + &&
    printf 'sluice (%s) unstable; urgency=medium\n\n  * CHANGELOG.md.gz has what is new.\n\n -- %s  %s\n' "$version" \
      "$PACKAGE_MAINTAINER" "$(date --utc --rfc-email --date="@$PACKAGE_EPOCH")" | gzip -9n >"$doc/changelog.gz" &&
    install -D -m 644 "$files/lintian-overrides" "$tree/usr/share/lintian/overrides/sluice" && mkdir "$tree/DEBIAN" ||
    die "cannot make the files of the Debian package"
  size="$(find "$tree/usr" -printf '%y %s\n' | awk '{ kib += $1 == "f" ? int(($2 + 1023) / 1024) : 1 } END { print kib }')"
  sed -e "s/@VERSION@/$version/" -e "s/@SIZE@/$size/" "$files/control" >"$tree/DEBIAN/control" &&
    (cd "$tree" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums) || die "cannot make the control files"
  for script in postinst prerm postrm; do
    install -m 755 "$files/$script" "$tree/DEBIAN/$script" || die "cannot make the control files"
  done
  package_level "$tree"
  # One thread: another number of threads would divide the data elsewhere.
  DPKG_DEB_THREADS_MAX=1 dpkg-deb --root-owner-group "${compression[@]}" --build "$tree" "$out/sluice_${version}_amd64.deb" >/dev/null ||
    die "dpkg-deb failed"
}

# package_client SOURCE BUILT WORK OUT: for a Java runtime of the user's own.
package_client() {
  local source="$1" name="sluice-client-$PACKAGE_VERSION" zip="$4/sluice-client-$PACKAGE_VERSION.zip"
  say "the client"
  mkdir "$3/$name" && cp "$2"/sluice.jar "$2"/sluice-client.cdx.json "$source"/{LICENSE,NOTICE,docs/CLIENT.md} "$3/$name/" &&
    cp "$2/sluice-client.licences.txt" "$3/$name/licences.txt" &&
    install -m 755 "$source/deploy/package/client/sluice" "$3/$name/sluice" &&
    sed 's/$/\r/' "$source/deploy/package/client/sluice.cmd" >"$3/$name/sluice.cmd" || die "cannot make the files of the client"
  package_level "$3/$name"
  rm -f "$zip"
  (cd "$3" && find "$name" -type f | LC_ALL=C sort | zip -q -9 -X -@ "$zip") || die "zip failed"
}

# package_compare ONE OTHER: are the packages in two folders the same? Names the files in them that differ.
package_compare() {
  local name differs=no unpacked
  while IFS= read -r name; do
    ! cmp -s "$1/$name" "$2/$name" || continue
    differs=yes
    [ -e "$1/$name" ] && [ -e "$2/$name" ] || { say "$name is in one of the two alone"; continue; }
    say "$name differs"
    unpacked="$(mktemp -d)"
    package_unpack "$1/$name" "$unpacked/one" && package_unpack "$2/$name" "$unpacked/other" || die "cannot unpack $name"
    # Modes and dates, too; where these are equal it is the order or the packing.
    { diff -rq --no-dereference "$unpacked/one" "$unpacked/other"; diff <(package_entries "$unpacked/one") <(package_entries "$unpacked/other"); } |
      sed "s#$unpacked/##g" | head -n 20 >&2 || true
    chmod -R u+w "$unpacked"
    rm -rf "$unpacked"
  done < <({ ls "$1"; ls "$2"; } | LC_ALL=C sort -u)
  [ "$differs" = no ]
}

package_unpack() {
  mkdir -p "$2"
  case "$1" in
    *.deb) dpkg-deb --raw-extract "$1" "$2" ;;
    *.tar.gz) tar --extract --gzip --same-permissions --file "$1" --directory "$2" ;;
    *.zip) (cd "$2" && "$JAVA_HOME/bin/jar" --extract --file "$1") ;;
    *) cp "$1" "$2/" ;;
  esac
}

# Modes, dates and links; unpacking changes the dates of folders.
package_entries() { (cd "$1" && find . -mindepth 1 \( -type d -printf '%p %M\n' -o -printf '%p %M %T+ %l\n' \) | LC_ALL=C sort); }

# package_sizes FOLDER: of each package, in MB.
package_sizes() { (cd "$1" && package_names | xargs stat -c '%s %n' | awk '{ printf "%7.1f MB  %s\n", $1 / 1000000, $2 }'); }
