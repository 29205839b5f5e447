#!/usr/bin/env bash
# Tests of the alerts and the dashboard with Prometheus itself: its promtool runs alerts.yaml and days.yaml, and a real
# server scrapes a real node and answers everything that either of them asks. The dashboard is held to Grafana's schema;
# no Grafana loads it. `run.sh PATTERN` runs the tests whose names match. Those for which promtool, prometheus (in PATH or
# where ./sluice test puts them), jq or Grafana's schema (there) are missing are counted as skipped.
set -uo pipefail

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
ROOT="$(readlink -f "$HERE/../../..")"
PATTERN="${1:-.}"
RULES="$ROOT/deploy/alerts/sluice.yaml"
DASHBOARD="$ROOT/deploy/dashboards/sluice.json"
RUNBOOK="$ROOT/docs/ALERTS.md"
# On a screen of 1,080 lines Grafana shows this number of rows of its grid.
readonly SCREEN_ROWS=27
# Metrics that a node reports only with settings that a trial does not have, or after orders of ACME.
readonly NOT_IN_A_TRIAL='ca_crl_delta_next_update_timestamp_seconds|ca_registration_(oldest_seconds|waiting|requests_total)|ca_acme_validations_seconds_(count|sum)'
# Metrics without a value while one idle node has the HSM for itself and no request is refused.
readonly NO_VALUE_WHEN_IDLE='ca_(registration_waiting|(acme_validations|registration_(oldest|requests)|fairness_jain|retry_after|limiter_(queue_delay|pace|capacity_estimate)|hsm_queue_delay_target)_)'
readonly SCHEMA_PYTHON="$ROOT/target/tools/grafana-schema/bin/python3"
WORK="$(mktemp -d)"
PASSED=0
FAILED=0
SKIPPED=0
SERVER=''

export PATH="$ROOT/target/tools/bin:$PATH"
# Nothing of the caller's settings may reach the node. The distribution may be named, as for ./sluice itself.
DIST="${SLUICE_DIST:-}"
for variable in $(compgen -e SLUICE_ || true); do
  unset "$variable"
done
[ -z "$DIST" ] || export SLUICE_DIST="$DIST"
export SLUICE_CONFIG=/dev/null

finish() {
  [ -z "$SERVER" ] || kill "$SERVER" 2>/dev/null
  [ ! -d "$WORK/data" ] || "$ROOT/sluice" down --data "$WORK/data" >/dev/null 2>&1
  [ -z "$SERVER" ] || wait "$SERVER" 2>/dev/null
  rm -rf "$WORK"
}
trap finish EXIT
trap 'exit 1' INT TERM

fail() { printf '    %s\n' "$*" >&2; return 1; }
# needs COMMAND…: false where one is missing; the test then returns SKIP.
readonly SKIP=77
needs() {
  local tool
  for tool in "$@"; do
    command -v "$tool" >/dev/null 2>&1 || { printf '    no %s\n' "$tool"; return 1; }
  done
}
expect_nothing() { [ -z "$1" ] || fail "$2: $(tr '\n' ' ' <<<"$1")"; }

alerts() { sed -n 's/^ *- alert: //p' "$RULES"; }
patient_alerts() { awk '/- alert:/ { name = $3 } /^ *for:/ { print name }' "$RULES"; }
metrics_in() { grep -oE '\bca_[a-z0-9_]+' | sort -u; }
# Of panels in rows, too, closed as they may be.
dashboard_expressions() { jq -r '.panels[] | ., .panels[]? | .targets[]?.expr' "$DASHBOARD"; }

# --- The rules, by promtool --------------------------------------------------------------------------

test_rules_areSound() {
  needs promtool || return $SKIP
  local out
  out="$(promtool check rules "$RULES" 2>&1)" || fail "$out"
}

test_configuration_ofPrometheus_isSound() {
  needs promtool || return $SKIP
  local out
  sed "s|/etc/prometheus/rules/\*.yaml|$RULES|" "$ROOT/deploy/compose/prometheus/prometheus.yaml" >"$WORK/checked.yaml"
  grep -qF "$RULES" "$WORK/checked.yaml" || fail "the configuration names no rules" || return 1
  out="$(promtool check config "$WORK/checked.yaml" 2>&1)" || fail "$out"
}

test_alerts_fireWhenTheyShould_only() {
  needs promtool || return $SKIP
  local days status=0
  promtool test rules "$HERE/days.yaml" >"$WORK/days.log" 2>&1 &
  days=$!
  promtool test rules "$HERE/alerts.yaml" >"$WORK/minutes.log" 2>&1 || status=$?
  wait "$days" || status=$?
  [ "$status" -eq 0 ] || fail "$(head -qn 8 "$WORK/minutes.log" "$WORK/days.log")"
}

test_alerts_eachHasATest() {
  expect_nothing "$(comm -23 <(alerts | sort) \
    <(sed -n 's/^  - name: //p' "$HERE/alerts.yaml" "$HERE/days.yaml" | sort -u))" "no test of"
}

# each_alert_alone RULES: a file of rules and one of tests for each alert, in the folder of RULES, without the other alerts:
# promtool evaluates every rule at every step of every test, and a planted fault is found by its own alert's tests or not.
each_alert_alone() {
  local folder origin
  folder="$(dirname "$1")"
  awk -v folder="$folder" '
    /^  - name:/ { file = ""; group = $0; next }
    # Before any alert: what alerts are made of.
    /- record:/ { file = ""; recorded = recorded group "\n    rules:\n"; group = "" }
    /- alert:/ { file = folder "/" $NF ".rules.yaml"; printf "groups:\n%s  - name: alone\n    rules:\n", recorded >file }
    /^      / { if (file) print >file; else recorded = recorded $0 "\n" }' "$1"
  for origin in alerts days; do
    awk -v folder="$folder" -v origin="$origin" '
      /^tests:/ { begun = 1; next }
      !begun { if (!/^rule_files:/) head = head $0 "\n"; next }
      /^  - name:/ {
        file = $NF ~ /^Sluice/ ? folder "/" $NF "." origin ".yaml" : ""
        if (!file) next
        if (!(file in known)) printf "rule_files: [%s.rules.yaml]\n%stests:\n", $NF, head >file
        known[file] = 1
      }
      # The question that all ask is an anchor of YAML in the first test.
      match($0, /&firing /) { firing = substr($0, RSTART + RLENGTH); sub(/&firing /, "") }
      /\*firing$/ { i = index($0, "*firing"); $0 = substr($0, 1, i - 1) firing }
      file { print >file }' "$HERE/$origin.yaml"
  done
}

# found_with SED…: the alerts that promtool finds other than their tests say when the rules are changed so.
found_with() {
  rm -rf "$WORK/planted"
  mkdir -p "$WORK/planted"
  sed -E "$@" "$RULES" >"$WORK/planted/all"
  promtool check rules "$WORK/planted/all" >/dev/null 2>&1 || { echo 'no rules any more'; return; }
  each_alert_alone "$WORK/planted/all"
  promtool test rules "$WORK"/planted/*.{alerts,days}.yaml 2>&1 | awk '
    # One `{labels} value` each; those that are on one side only are what a question found.
    function collect(text, into,   n, i, all) {
      delete into
      gsub(/}/, "}\n", text)
      n = split(text, all, "\n")
      for (i = 1; i <= n; i++) if (match(all[i], /\{.*\}/)) into[substr(all[i], RSTART, RLENGTH)] = 1
    }
    # Other alerts that a test expects are not there.
    function found(labels) { match(labels, /Sluice[A-Za-z]+/); if (substr(labels, RSTART, RLENGTH) == alert) print alert }
    /^Unit Testing: / { alert = $NF; sub(/.*\//, "", alert); sub(/\..*/, "", alert) }
    /^ *exp: / { collect($0, expected) }
    /^ *got: / {
      collect($0, got)
      for (l in expected) if (!(l in got)) found(l)
      for (l in got) if (!(l in expected)) found(l)
    }' | sort -u
}

test_planted_nothing_isNotFound() {
  needs promtool || return $SKIP
  expect_nothing "$(found_with 's/^$//')" "is as it was, and is found" || return 1
  expect_nothing "$(comm -23 <(alerts | sort) <(basename -as .rules.yaml "$WORK"/planted/*.rules.yaml | sort))" "not tested alone"
}

test_planted_ruleThatNeverFires_isFound() {
  needs promtool || return $SKIP
  # The first line of each expression becomes one that is never true; the lines that follow go.
  local never='/- alert:/,/labels:/ { s/^( *expr:).*/\1 vector(1) > 2/; /^ *(- alert|expr|for|labels):/! d }'
  expect_nothing "$(comm -23 <(alerts | sort) <(found_with "$never"))" "never fires, and is not found"
}

test_planted_ruleWithoutPatience_isFound() {
  needs promtool || return $SKIP
  expect_nothing "$(comm -23 <(patient_alerts | sort) <(found_with '/^ *for:/ d'))" "fires at once, and is not found"
}

test_planted_ruleWithTheWrongBorder_isFound() {
  needs promtool || return $SKIP
  local border='/- alert:/,/labels:/ { /expr:/,/labels:/ {
    s/ > / >= /; s/^( *)>( |$)/\1>=\2/; s/ < / <= /; s/^( *)<( |$)/\1<=\2/; s/== [01]/>= 0/; s/!=/>=/ } }'
  expect_nothing "$(comm -23 <(alerts | grep -v '^SluiceCeremonyCrlEndsSoon$' | sort) <(found_with "$border"))" \
    "has the wrong border, and is not found"
}

test_planted_ceremonyRuleForEveryCrl_isFound() {
  needs promtool || return $SKIP
  [ "$(found_with 's/timestamp_seconds offset 3d/timestamp_seconds/')" = SluiceCeremonyCrlEndsSoon ] ||
    fail "fires for CRLs that nodes renew, and is not found"
}

# --- The runbook --------------------------------------------------------------------------------------

test_runbook_hasASectionOfEachAlert_andNoOther() {
  local links
  links="$(diff <(sed -n 's/^ *runbook_url: //p' "$RULES") <(alerts | sed 's|.*|docs/ALERTS.md#\L&|'))"
  expect_nothing "$links" "leads elsewhere" &&
    expect_nothing "$(diff <(alerts | sort) <(sed -n 's/^## \(Sluice.*\)/\1/p' "$RUNBOOK" | sort))" "alerts are not sections"
}

# severities RULES: each alert with how it is announced in the runbook.
severities() {
  awk '/- alert:/ { name = $NF; after = "at once" }
    /^ *for:/ { after = "after " $NF }
    /severity:/ { print name ": " ($NF == "critical" ? "**Critical**" : "Warning") ", " after }' "$1" | sort
}

test_runbook_saysHowUrgentEachAlertIs() {
  local said
  said="$(sed -nE '/^## Sluice/ { s/^## //; N; N; s/\n\n/: /; s/^([A-Za-z]+: [^,]*, (at once|after [0-9a-z]+))\..*/\1/p }' "$RUNBOOK" | sort)"
  expect_nothing "$(diff <(severities "$RULES") <(printf '%s\n' "$said"))" "the runbook says otherwise" || return 1
  sed '0,/severity: warning/s//severity: critical/' "$RULES" >"$WORK/urgent.yaml"
  [ -n "$(diff <(severities "$WORK/urgent.yaml") <(printf '%s\n' "$said"))" ] || fail "another severity is not found"
}

# --- The dashboard ------------------------------------------------------------------------------------

# faults_of FILE: what is wrong with a dashboard's frame, one line each. A row is closed, so that only its title takes room,
# and holds one screen more.
faults_of() {
  jq -r --argjson rows "$SCREEN_ROWS" '
    def bottom: .gridPos.y + .gridPos.h;
    def cells: .gridPos | range(.x; .x + .w) as $x | range(.y; .y + .h) as $y | "\($x),\($y)";
    [.panels[] | ., .panels[]?] as $all | [$all[] | select(.type != "row")] as $drawn |
    ($all | group_by(.id)[] | select(length > 1) | "two panels with id \(.[0].id)"),
    ($all | group_by(.title)[] | select(length > 1) | "two panels named \(.[0].title)"),
    ([$all[] | cells] | group_by(.)[] | select(length > 1) | "panels overlap at \(.[0])"),
    ($all[] | select(.gridPos.x + .gridPos.w > 24) | "not on the screen: \(.title)"),
    (.panels[] | select(bottom > $rows) | "not on the screen: \(.title)"),
    (.panels[] | select(.type == "row") | (select(.collapsed != true) | "open: \(.title)"),
      (bottom as $top | .panels[] | select(.gridPos.y < $top or bottom > $top + $rows - 1) |
      "not on the screen of its row: \(.title)")),
    ($drawn[] | select((.description // "") == "") | "says nothing of itself: \(.title)"),
    ($drawn[] | select((.targets // []) == []) | "asks nothing: \(.title)"),
    ($drawn[] | select([.targets[]?.refId] != ([.targets[]?.refId] | unique)) | "two queries of one name: \(.title)"),
    ($drawn[] | select([.datasource, .targets[]?.datasource] | any(. != {type: "prometheus", uid: "${datasource}"})) |
      "a data source of its own: \(.title)"),
    ($drawn[].targets[]? | select(.expr | [scan("\\bca_\\w+")] != [scan("\\b(ca_\\w+){job=\"\\$job\"")[0]]) | "of any job: \(.expr)"),
    (if .uid != "sluice" or .schemaVersion < 39 or (.templating.list | map(.name)) != ["datasource", "job"]
     then "another frame" else empty end)' "$1"
}

test_dashboard_isOneScreen() {
  needs jq || return $SKIP
  expect_nothing "$(faults_of "$DASHBOARD")" "the dashboard"
}

test_planted_faultsOfTheDashboard_areFound() {
  needs jq || return $SKIP
  local change
  for change in '.panels[1].id = .panels[0].id' '.panels[1].title = .panels[0].title' '.panels[1].gridPos.x -= 1' \
    '.panels[-1].gridPos.h += 1' '.panels[0].description = ""' '.panels[6].targets[1].refId = "A"' \
    '.panels[0].datasource.uid = "mine"' '.panels[0].targets[0].expr = "ca_hsm_inflight"' '.uid = "other"' \
    '.panels[0].targets = []' '.panels[-1].collapsed = false' '.panels[-1].panels[0].id = .panels[0].id' \
    '.panels[-1].panels[1].gridPos.x -= 1' '.panels[-1].panels[0].gridPos.y -= 8' '.panels[-1].panels[-1].gridPos.h += 11' \
    '.panels[-1].panels[0].description = ""' '.panels[0].targets[0].expr = "ca_issued_total{job=\"$job\"} / ca_hsm_inflight"'; do
    jq "$change" "$DASHBOARD" >"$WORK/faulty.json"
    [ -n "$(faults_of "$WORK/faulty.json")" ] || fail "not found: $change" || return 1
  done
}

# strange_to_grafana FILE…: what of dashboards is not in Grafana's schema, one line each, which begins with the file.
strange_to_grafana() { "$SCHEMA_PYTHON" -B "$HERE/schema.py" "$@" 2>&1; }

test_dashboard_isOfGrafanasSchema() {
  needs "$SCHEMA_PYTHON" || return $SKIP
  expect_nothing "$(strange_to_grafana "$DASHBOARD")" "the dashboard"
}

test_planted_strangenessOfTheDashboard_isFound() {
  local change i
  local -a changes=()
  needs jq "$SCHEMA_PYTHON" || return $SKIP
  mkdir -p "$WORK/strange"
  for change in '.panel = []' '.panels[0].titel = "x"' '.panels[0].type = "stats"' '.panels[0].title = 1' \
    '.panels[0].gridPos.h = "3"' '.panels[0].options.colourMode = "value"' '.panels[0].options.colorMode = "purple"' \
    '.panels[0].options.reduceOptions.calcs = "last"' '.panels[6].fieldConfig.defaults.custom.lineWidth = "1"' \
    '.panels[6].fieldConfig.defaults.custom.drawStyle = "dots"' '.panels[6].fieldConfig.defaults.units = "s"' \
    '.panels[6].targets[0].expression = "up"' \
    '.panels[6].fieldConfig.overrides = {}' '.templating.list[1].refresh = 5' '.templating.list[0].type = "source"' \
    '.panels = 7' '.refresh = false' '.panels[-1].closed = true' '.panels[-1].panels[0].titel = "x"' \
    '.panels[-1].panels[0].type = "lines"' '.panels[-1].panels[0].targets[0].expression = "up"'; do
    jq "$change" "$DASHBOARD" >"$WORK/strange/${#changes[@]}.json" &&
      ! cmp -s <(jq . "$DASHBOARD") "$WORK/strange/${#changes[@]}.json" || fail "changes nothing: $change" || return 1
    changes+=("$change")
  done
  # One process: it reads the schema, which takes longer than a dashboard.
  strange_to_grafana "$WORK"/strange/*.json >"$WORK/strange/found"
  for i in "${!changes[@]}"; do
    grep -q "^$WORK/strange/$i.json: " "$WORK/strange/found" || fail "not found: ${changes[i]}" || return 1
  done
}

# --- A real node, and a real Prometheus ---------------------------------------------------------------

# Ranges below those that PostgreSQL and outgoing connections get.
choose_ports() {
  local port tries
  for ((tries = 0; tries < 50; tries++)); do
    PORT=$((10000 + RANDOM % 9600))
    for port in "$PORT" $((PORT + 100)) $((PORT + 200)) $((PORT + 300)); do
      ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || continue 2
    done
    return 0
  done
  fail "no free ports"
}

ask() { curl -s --noproxy '*' --max-time 10 "http://127.0.0.1:$((PORT + 300))/api/v1/$1" "${@:2}"; }

# await SECONDS COMMAND…
await() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < deadline)) || { fail "not in time: $*"; return 1; }
    sleep 0.3
  done
}

# Requests of every kind that a fresh node answers: an issued certificate, a refused one.
use_node() {
  local i
  for i in 1 2 3; do
    "$ROOT/sluice" enroll --data "$WORK/data" --profile tls-server --csr "$WORK/good.csr" --out "$WORK/$i.pem" 2>"$WORK/err" ||
      fail "cannot enroll: $(tail -n 1 "$WORK/err")" || return 1
    ! "$ROOT/sluice" enroll --data "$WORK/data" --profile tls-server --csr "$WORK/bad.csr" --out "$WORK/bad.pem" 2>/dev/null ||
      fail "a P-192 key was certified" || return 1
  done
}

scrapes() { [ "$(ask query --data-urlencode 'query=count_over_time(up{job="sluice"}[1h])' | jq -r '.data.result[0].value[1] // 0')" -ge "$1" ]; }

start_node_and_server() {
  choose_ports || return 1
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$WORK/key" -out "$WORK/good.csr" \
    -subj /CN=www.example.com -addext subjectAltName=DNS:www.example.com 2>/dev/null &&
    openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime192v1 -nodes -keyout "$WORK/key" -out "$WORK/bad.csr" \
      -subj /CN=www.example.com -addext subjectAltName=DNS:www.example.com 2>/dev/null || fail "no requests" || return 1
  "$ROOT/sluice" up --detach --data "$WORK/data" --port "$PORT" --http-port $((PORT + 100)) \
    --management-port $((PORT + 200)) >"$WORK/up.log" 2>&1 || fail "no start: $(tail -n 3 "$WORK/up.log")" || return 1
  use_node || return 1
  # As compose has it, but for places and for patience.
  sed -e "s|/etc/prometheus/rules/\*.yaml|$RULES|; s/_interval: 15s/_interval: 1s/" \
    -e "s/targets: .*/targets: ['127.0.0.1:$((PORT + 200))']/" \
    "$ROOT/deploy/compose/prometheus/prometheus.yaml" >"$WORK/prometheus.yaml"
  prometheus --config.file="$WORK/prometheus.yaml" --storage.tsdb.path="$WORK/tsdb" \
    --web.listen-address="127.0.0.1:$((PORT + 300))" >"$WORK/prometheus.log" 2>&1 &
  SERVER=$!
  await 60 scrapes 2 && use_node && await 60 scrapes 6
}

# metrics_missing: of the names on standard input, those that the server has not heard of.
metrics_missing() {
  comm -23 - <(ask label/__name__/values | jq -r '.data[]' | sort -u)
}

# trouble_with EXPRESSION: why it is of no use, if so.
trouble_with() {
  # shellcheck disable=SC2016 # Grafana's variables
  local asked="${1//'$job'/sluice}"
  # shellcheck disable=SC2016
  asked="${asked//'$__rate_interval'/5m}"
  ask query --data-urlencode "query=$asked" | jq -r '
    if .status != "success" then "error: \(.error)"
    elif (.data.result | length) == 0 then "no data"
    elif (.data.result | all(.value[1] == "NaN")) then "no value" else empty end'
}

unused_expressions() {
  local expression trouble
  while IFS= read -r expression; do
    trouble="$(trouble_with "$expression")"
    [[ "$trouble" = no\ * && "$expression" =~ $NO_VALUE_WHEN_IDLE ]] || [ -z "$trouble" ] ||
      printf '%s: %s\n' "$trouble" "$expression"
  done
}

# alerting: the rules that fire or are pending, with their labels.
alerting() {
  ask rules | jq -r '.data.groups[].rules[] | select(.type == "alerting" and .state != "inactive") | "\(.name) \(.alerts | map(.labels) | tostring)"'
}

nothing_alerts() { [ -z "$(alerting)" ]; }

test_node_answersAllThatDashboardAndAlertsAsk() {
  needs prometheus jq || return $SKIP
  local missing rules
  start_node_and_server || { tail -n 3 "$WORK/prometheus.log" >&2 2>/dev/null; return 1; }
  rules="$(ask rules | jq -c '[.data.groups[].rules[]]')"
  [ "$(jq '[.[] | select(.type == "alerting")] | length' <<<"$rules")" -eq "$(alerts | wc -l)" ] || fail "not all rules are there" || return 1
  missing="$( (dashboard_expressions && jq -r '.[].query' <<<"$rules") | metrics_in | grep -vxE "$NOT_IN_A_TRIAL" | metrics_missing)"
  expect_nothing "$missing" "no node reports" || return 1
  expect_nothing "$(jq -r '.[] | select(.health != "ok") | "\(.name) is \(.health): \(.lastError)"' <<<"$rules")" "rules" || return 1
  # Another process that takes the processors can make a rule pending for a moment. What is wrong stays.
  await 150 nothing_alerts || true
  expect_nothing "$(alerting)" "a sound node has alerts" || return 1
  expect_nothing "$(dashboard_expressions | unused_expressions)" "of the dashboard"
}

# Of the test before, whose server still runs.
test_planted_expressionsThatNoNodeAnswers_areFound() {
  needs prometheus jq || return $SKIP
  local wrong
  # shellcheck disable=SC2016 # Grafana's variables
  local -a all=('sum(ca_hsm_inflight{job="$job"' 'ca_hsm_inflight{job="$job", lane="bulk"}'
    'ca_hsm_inflight * on (instance) ca_sign_queue_depth' '0 / (ca_hsm_zombie_calls{job="$job"} * 0)')
  [ -n "$SERVER" ] || start_node_and_server || return 1
  [ "$(echo ca_hsm_inflght | metrics_missing)" = ca_hsm_inflght ] || fail "a metric that no node reports is not found" || return 1
  for wrong in "${all[@]}"; do
    [ -n "$(unused_expressions <<<"$wrong")" ] || fail "not found: $wrong" || return 1
  done
}

# --- Run ------------------------------------------------------------------------------------------------

mapfile -t TESTS < <(grep -oE '^test_[A-Za-z0-9_]+' "${BASH_SOURCE[0]}" | grep -E -- "$PATTERN")
for name in "${TESTS[@]}"; do
  "$name"
  case $? in
    0) PASSED=$((PASSED + 1)) verdict='ok  ' ;;
    "$SKIP") SKIPPED=$((SKIPPED + 1)) verdict='SKIPPED' ;;
    *) FAILED=$((FAILED + 1)) verdict=FAIL ;;
  esac
  printf '%s %s\n' "$verdict" "${name#test_}"
done
printf '%s passed, %s failed, %s skipped\n' "$PASSED" "$FAILED" "$SKIPPED"
[ "$FAILED" -eq 0 ]
