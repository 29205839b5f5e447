#!/usr/bin/env bash
# pit.sh [PACKAGE…]: mutation testing by PIT, some minutes each; prints mutants and how many the tests kill, by package, and
# fails where that is less than deploy/local/test/pit-floor has. Without arguments all that the floor lists. Reports are in
# MODULE/target/pit. Fuzz targets count as no tests: random damage kills by chance (docs/TESTING.md).
set -euo pipefail
cd "$(dirname "$0")/../.."

readonly FLOOR=deploy/local/test/pit-floor
mapfile -t PACKAGES < <(if [ $# -gt 0 ]; then printf '%s\n' "$@"; else sed -n 's/^\([a-z.]*\) .*/\1/p' "$FLOOR"; fi)
for package in "${PACKAGES[@]}"; do
  folder="ca-core/src/main/java/org/sluiceca/core/${package//.//}"
  [[ "$package" != hsm.* ]] || folder="hsm-adapter/src/main/java/org/sluiceca/${package//.//}"
  [[ "$package" =~ ^[a-z]+([.][a-z]+)*$ ]] && [ -d "$folder" ] ||
    { printf "pit.sh: no package '%s': name one as in %s, e.g. admit\n" "$package" "$FLOOR" >&2; exit 2; }
done

# The module of a package: hsm.lane is one of hsm-adapter, all others of ca-core.
module_of() { case "$1" in hsm.*) echo hsm-adapter ;; *) echo ca-core ;; esac; }

failed=0
printf '%-12s %8s %7s %6s\n' package mutants killed floor
for package in "${PACKAGES[@]}"; do
  module="$(module_of "$package")"
  report="$module/target/pit/${package#hsm.}"
  rm -rf "$report"
  mkdir -p "$module/target"
  ./mvnw -q -B -ntp -Ppit -pl "$module" test-compile org.pitest:pitest-maven:mutationCoverage \
    "-Dpit.package=${package#hsm.}" >"$module/target/pit-$package.log" 2>&1 ||
    { tail -n 20 "$module/target/pit-$package.log" >&2; exit 1; }
  # A mutant that ends in a time-out or out of memory was noticed as well; one that did not run proves nothing.
  read -r mutants killed < <(awk -F, '$6 != "NON_VIABLE" && $6 != "RUN_ERROR" { all++ }
    $6 == "KILLED" || $6 == "TIMED_OUT" || $6 == "MEMORY_ERROR" { killed++ } END { print all + 0, killed + 0 }' "$report/mutations.csv")
  floor="$(sed -n "s/^$package //p" "$FLOOR")"
  printf '%-12s %8s %7s %6s\n' "$package" "$mutants" "$killed" "${floor:--}"
  [ -z "$floor" ] || [ "$killed" -ge "$floor" ] || failed=1
done
[ "$failed" -eq 0 ] || { echo 'fewer mutants are killed than the floor says: which test went?' >&2; exit 1; }
