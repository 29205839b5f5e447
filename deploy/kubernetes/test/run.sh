#!/usr/bin/env bash
# Tests of the manifests for Kubernetes without a cluster: its own schemas, what image and node say, and the
# autoscaler's rules by promtool. Each test is a function test_…; `run.sh PATTERN` runs those whose names match.
set -uo pipefail

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
MANIFESTS="$(dirname "$HERE")"
ROOT="$(readlink -f "$HERE/../../..")"
SLUICE_ROOT="$ROOT"
PATTERN="${1:-.}"
WORK="$(mktemp -d)"
export LC_ALL=C
export PATH="$ROOT/target/tools/bin:$PATH"
trap 'rm -rf "$WORK"' EXIT
trap 'exit 1' INT TERM
# shellcheck source=/dev/null
for part in common tools test/runner; do source "$ROOT/deploy/local/$part.sh"; done

judge_is_there() { tool kubernetes || { skip "no schemas: $(last_words "$(tool_log kubernetes)")"; return 1; }; }

judge() { timeout 60 "$TOOLS/kubernetes/bin/python" "$HERE/check.py" "$1" "$ROOT"; }

test_manifests_fitSchemaImageAndNode() {
  judge_is_there || return 0
  judge "$MANIFESTS" || fail "faults"
}

# planted FILE EDIT SAID: with the file edited by sed, the judge says so.
planted() {
  rm -rf "$WORK/planted"
  cp -r "$MANIFESTS" "$WORK/planted"
  rm -rf "$WORK/planted/test"
  sed -i "$2" "$WORK/planted/$1"
  ! cmp -s "$MANIFESTS/$1" "$WORK/planted/$1" || fail "the edit of $1 changed nothing" || return 1
  ! judge "$WORK/planted" >"$WORK/said" 2>&1 || fail "not found: $2" || return 1
  grep -qE "$3" "$WORK/said" || fail "not '$3' but: $(head -n 3 "$WORK/said")"
}

test_planted_whatNoSchemaKnows_isFound() {
  judge_is_there || return 0
  planted deployment.yaml 's/terminationGracePeriodSeconds/terminationGraceSeconds/' terminationGraceSeconds &&
    planted disruption.yaml 's/minAvailable: 1/minAvailable: {}/' 'PodDisruptionBudget sluice' &&
    planted scaling/hpa.yaml 's/maxReplicas: 8/maxReplicas: many/' maxReplicas
}

test_planted_settings_areFound() {
  judge_is_there || return 0
  planted settings.yaml 's/SLUICE_PUBLIC_URL/SLUICE_PUBLIK_URL/' 'SLUICE_PUBLIK_URL is no setting' &&
    planted settings.yaml 's/^  SLUICE_PUBLIC_URL: .*/&\n  SLUICE_HSM_PIN_FILE: "1234"/' 'does not belong into a ConfigMap' &&
    planted settings.yaml 's/NODES_MAX: "9"/NODES_MAX: "8"/' 'share the HSM as 8'
}

test_planted_rights_areFound() {
  judge_is_there || return 0
  planted deployment.yaml 's/runAsUser: 10001/runAsUser: 1000/' 'runs as 1000' &&
    planted deployment.yaml '/readOnlyRootFilesystem/d' 'can write what it runs' &&
    planted deployment.yaml 's/drop: \[ALL\]/drop: [NET_RAW]/' 'may get privileges' &&
    planted deployment.yaml 's/defaultMode: 0440/defaultMode: 0444/' 'read by everybody' &&
    planted deployment.yaml '/mountPath: \/tmp/d' '/tmp cannot be written' &&
    planted network.yaml 's/port: http}/port: management}/' 'open to everybody'
}

test_planted_wrongWays_areFound() {
  judge_is_there || return 0
  planted services.yaml '0,/app.kubernetes.io\/name: sluice}$/! s/selector: {app.kubernetes.io\/name: sluice}/selector: {app: sluice}/' 'selects' &&
    planted services.yaml 's/targetPort: https/targetPort: tls/' 'which is none' &&
    planted deployment.yaml 's/containerPort: 8180/containerPort: 8181/' 'of the image' &&
    planted deployment.yaml 's/health\/liveness/health\/readiness/' 'asks more than' &&
    planted monitoring.yaml 's/component: management/component: node/' 'selects no service'
}

test_planted_times_areFound() {
  judge_is_there || return 0
  planted deployment.yaml 's/GracePeriodSeconds: 75/GracePeriodSeconds: 30/' 'killed after 30 s' &&
    planted settings.yaml 's/NOTICE: 10s/NOTICE: 5s/' 'are over before'
}

test_planted_scaling_isFound() {
  judge_is_there || return 0
  planted scaling/hpa.yaml 's/value: 600m/value: 700m/' 'held at 0.6, the target is 0.7' &&
    planted scaling/adapter.yaml 's/as: sluice_scaling_signal/as: scaling_signal/' 'another metric'
}

# --- The autoscaler's signal -------------------------------------------------------------------------

# The test refers to its rules by a file in the same folder.
signals() { cp "$HERE/signal.yaml" "$1" "$WORK/" && promtool test rules "$WORK/signal.yaml" >"$WORK/signal.log" 2>&1; }

test_signal_stopsAtTheHsm() {
  command -v promtool >/dev/null || { skip "no promtool"; return 0; }
  signals "$MANIFESTS/scaling/rules.yaml" || fail "$(head -n 20 "$WORK/signal.log")"
}

test_planted_signalThatGoesOn_isFound() {
  command -v promtool >/dev/null || { skip "no promtool"; return 0; }
  mkdir -p "$WORK/rules"
  sed 's/< 0.95/< 1.95/' "$MANIFESTS/scaling/rules.yaml" >"$WORK/rules/rules.yaml"
  ! signals "$WORK/rules/rules.yaml" || fail "a signal that the HSM does not stop was not found" || return 1
  sed 's/record: sluice:hsm_utilization:min/&/; s/expr: min(avg by/expr: max(avg by/' "$MANIFESTS/scaling/rules.yaml" >"$WORK/rules/rules.yaml"
  ! signals "$WORK/rules/rules.yaml" || fail "a signal that one of two HSMs stops was not found"
}

run_tests "$PATTERN"
