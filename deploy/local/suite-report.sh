# shellcheck shell=bash
# What a run of the tests comes to: times of its parts and slowest classes, and whether everything ran and passed.
# Reads target/suite/parts.tsv, the reports of surefire and failsafe, and the budget.

readonly SUITE_SLOWEST=25

# suite_report WORK ROOT TIER SECONDS: prints the tables, writes ROOT/target/test-times.json. Fails if a part or a test
# failed, or a test class that this tier has left no report.
suite_report() {
  local work="$1" root="$2" tier="$3" seconds="$4" bad
  suite_classes "$root" >"$work/classes.tsv"
  bad="$(suite_faults "$work" "$root" "$tier")"
  suite_json "$work" "$root" "$tier" "$seconds" >"$root/target/test-times.json"
  suite_tables "$root/target/test-times.json"
  # The budget is that of the CI tier.
  [ "$tier" != ci ] || suite_over_budget "$root/target/test-times.json"
  [ -z "$bad" ] || { printf 'sluice: failed:\n%s\n' "$bad" >&2; return 1; }
}

# One line a report: module, class, seconds, tests, failed, skipped.
suite_classes() {
  local report
  for report in "$1"/{ca-core,hsm-adapter,ca-api,ca-api/client,loadtest,loadtest/house,loadtest/gatling}/target/{surefire,failsafe}-reports/TEST-*.xml; do
    [ -e "$report" ] || continue
    awk -v module="$(sed "s:^$1/::; s:/target/.*::" <<<"$report")" '
      function attribute(name) { return match($0, " " name "=\"[^\"]*\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : "" }
      /<testsuite / {
        printf "%s\t%s\t%s\t%d\t%d\t%d\n", module, attribute("name"), attribute("time"), attribute("tests"),
          attribute("errors") + attribute("failures"), attribute("skipped")
        exit
      }' "$report"
  done
}

# A line for each thing that went wrong; nothing if all is well.
suite_faults() {
  local work="$1"
  awk -F '\t' '$4 != "ok" { print "  part " $1 " (log target/suite/" $1 ".log)" }' "$work/parts.tsv"
  awk -F '\t' '$5 > 0 { print "  " $5 " of " $4 " tests in " $2 }' "$work/classes.tsv"
  suite_missing "$2" "$3" "$work/classes.tsv" | sed 's/^/  no report of /'
}

# The test classes in the sources whose report is missing: a JVM that died, a module that was left out.
suite_missing() {
  local root="$1" tier="$2" classes="$3"
  comm -23 <(suite_expected "$root" "$tier" | sort -u) <(cut -f 2 "$classes" | sort -u)
}

suite_expected() {
  local file class
  find "$1"/{ca-core,hsm-adapter,ca-api,ca-api/client,loadtest,loadtest/house,loadtest/gatling}/src/test/java \( -name '*Test.java' -o -name '*IT.java' \) 2>/dev/null |
    while IFS= read -r file; do
      ! grep -q '^abstract class\|^public abstract class' "$file" || continue
      [ "$2" = nightly ] || ! grep -q '^@Tag("nightly")' "$file" || continue
      class="${file#*/src/test/java/}"
      class="${class%.java}"
      printf '%s\n' "${class//\//.}"
    done
}

# suite_json WORK ROOT TIER SECONDS
suite_json() {
  jq -n --arg tier "$3" --argjson seconds "$4" --arg commit "$(git -C "$2" rev-parse --short HEAD 2>/dev/null)" \
    --arg machine "$(nproc) x $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" \
    --rawfile parts "$1/parts.tsv" --rawfile classes "$1/classes.tsv" --rawfile budget "$2/deploy/local/test/budget" '
    def rows: split("\n") | map(select(. != "" and (startswith("#") | not)) | split("\t"));
    ($budget | split("\n") | map(select(. != "" and (startswith("#") | not)) | split(" ") | {(.[0]): (.[1] | tonumber)}) | add) as $budget |
    {tier: $tier, commit: $commit, machine: $machine, seconds: $seconds,
     parts: ($parts | rows | map({name: .[0], seconds: (.[1] | tonumber), processorSeconds: (.[2] | tonumber), result: .[3],
       budgetSeconds: $budget[.[0]]})),
     classes: ($classes | rows | map({module: .[0], name: .[1], seconds: (.[2] | tonumber), tests: (.[3] | tonumber),
       failed: (.[4] | tonumber), skipped: (.[5] | tonumber)}) | sort_by(-.seconds))}'
}

suite_tables() {
  jq -r --argjson slowest "$SUITE_SLOWEST" '
    "", "part                 seconds  processor  budget  result",
    (.parts[] | [.name, .seconds, .processorSeconds, (.budgetSeconds // "-"), .result] | @tsv),
    "", "slowest classes      seconds  tests",
    (.classes[:$slowest][] | [(.name | split(".") | last), .seconds, .tests, .module] | @tsv),
    "",
    "\(.tier) tier in \(.seconds) s: \(.classes | map(.tests) | add // 0) tests in \(.classes | length) classes, \(.classes | map(.failed) | add // 0) failed, \(.classes | map(.skipped) | add // 0) skipped; times in target/test-times.json"' "$1" |
    awk -F '\t' 'NF == 5 { printf "%-20s %7.1f  %9.1f  %6s  %s\n", $1, $2, $3, $4, $5; next }
      NF == 4 { printf "%-40s %7.1f  %5d  %s\n", $1, $2, $3, $4; next } { print }'
}

# A warning, never a failure: the reference machine is not this one.
suite_over_budget() {
  jq -r '.parts[] | select(.budgetSeconds != null and .seconds > 1.5 * .budgetSeconds)
    | "sluice: warning: part \(.name) took \(.seconds) s, more than half over its budget of \(.budgetSeconds) s"' "$1" >&2
}
