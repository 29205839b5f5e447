# shellcheck shell=bash
# The test of package.sh of the C library that the programs in the tar archive need. Sourced.

# What docs/INSTALL.md and the Debian package's Depends name.
readonly GLIBC_MAX=2.17

# glibc_needed FOLDER: the versions of the C library's symbols that its ELF files name, also those in jars, oldest first, each
# with a file.
glibc_needed() {
  local inside="$WORK/elf-in-jars" jar file
  rm -rf "$inside" && mkdir "$inside"
  while IFS= read -r jar; do
    unzip -qo "$jar" '*.so' '*.so.*' -d "$inside/$(basename "$jar")" 2>/dev/null
  done < <(find "$1" -name '*.jar')
  while IFS= read -r file; do
    readelf --version-info --wide "$file" 2>/dev/null | grep -oE 'GLIBC_([0-9.]+|PRIVATE|ABI_[A-Z0-9_]+)' | sort -u | sed "s#^GLIBC_\(.*\)#\1 ${file##*/}#"
  done < <(find "$1" "$inside" -type f -size +0 -exec sh -c 'for f; do [ "$(head -c 4 "$f" | tail -c 3)" != ELF ] || printf "%s\n" "$f"; done' elf {} +) | sort -Vu
}

# fits_glibc FOLDER: is none newer? GLIBC_PRIVATE is of no version, and sorts last.
fits_glibc() {
  local newest
  newest="$(glibc_needed "$1" | tail -n 1)"
  [ -n "$newest" ] && printf '%s\n%s\n' "${newest%% *}" "$GLIBC_MAX" | sort -VC || { printf '%s\n' "$newest"; return 1; }
}

untarred() { mkdir -p "$1" && tar -xzf "$(package '*.tar.gz')" -C "$1"; }

test_tar_everyProgram_fitsTheOldestCLibrary_plantedIsFound() {
  launcher 'require_tools readelf:binutils' || return 1
  local place="$WORK/elf" jar
  untarred "$place" && glibc_needed "$place" >"$WORK/needed" || return 1
  printf '    %s ELF files, the C library %s (%s)\n' "$(cut -d' ' -f2 "$WORK/needed" | sort -u | wc -l)" "$(tail -n 1 "$WORK/needed" | cut -d' ' -f1)" "$(tail -n 1 "$WORK/needed" | cut -d' ' -f2)"
  # The one in a jar is seen, too.
  grep -q 'libamazonCorrettoCryptoProvider.so$' "$WORK/needed" || fail "the library in a jar is not seen" || return 1
  fits_glibc "$place" || fail "newer than $GLIBC_MAX" || return 1
  grep -q "libc6 (>= $GLIBC_MAX)" "$FILES/debian/control" && grep -q "glibc $GLIBC_MAX" "$SLUICE_ROOT/docs/INSTALL.md" || fail "control or INSTALL.md has another version" || return 1
  mkdir -p "$WORK/elf-new/lib" && sed 's/GLIBC_2\.2\.5/GLIBC_2.9.9/; s/GLIBC_2\.14/GLIBC_2.38/g' "$place"/*/lib/sluice/jre/lib/libzip.so >"$WORK/elf-new/lib/libzip.so" &&
    ! fits_glibc "$WORK/elf-new" >"$WORK/out" && grep -q '^2.38 libzip.so$' "$WORK/out" || fail "a file for a newer C library is not found: $(cat "$WORK/out")" || return 1
  jar="$WORK/elf-new/a.jar"
  (cd "$WORK/elf-new" && zip -q "$jar" lib/libzip.so && rm lib/libzip.so)
  ! fits_glibc "$WORK/elf-new" >"$WORK/out" && grep -q '^2.38 libzip.so$' "$WORK/out" || fail "one in a jar is not found: $(cat "$WORK/out")"
}
