# shellcheck shell=bash
# `test`: everything continuous integration runs; with --nightly also what takes long and seldom changes.

readonly TOOLS="$SLUICE_ROOT/target/tools"
readonly ZLINT_VERSION=v3.6.1
readonly PKILINT_VERSION=0.13.3
# Not the rates and times, which want a calm machine: `make -C loadtest/nethsm check` has those too.
readonly NETHSM_TESTS='test_(sign|initialize|queue|kill|fault|sessions|configuration|tool|planted_placeOf|planted_dead|planted_waits)'
readonly BADKEYS_VERSION=0.0.21
readonly CRYPTOGRAPHY_VECTORS_VERSION=50.0.2
readonly SSLYZE_VERSION=6.3.1
readonly SCHEMATHESIS_VERSION=4.32.5
# Of Grafana 11.6, as deploy/compose/monitoring.yaml has it.
readonly GRAFANA_SCHEMA_VERSION='1769699379!11.6.0'

suite() {
  [ $# -eq 0 ] || [ "$1" != --help ] || { usage; return 0; }
  local nightly=''
  if [ "${1:-}" = --nightly ]; then
    nightly=yes
    # For the integration tests, which count themselves as skipped without it.
    export SLUICE_TEST_NIGHTLY=yes
    shift
  fi
  prerequisites_to_test
  fetch_postgres
  install_linters
  export PATH="$TOOLS/bin:$TOOLS/pkilint/bin:$TOOLS/http/bin:$PATH"
  # Before the tests that start nodes: a launcher inside Maven should find nothing to build.
  build
  local failed=()
  say "tests of the launcher"
  "$SLUICE_ROOT/deploy/local/test/run.sh" || failed+=("the launcher's tests")
  say "tests of an upgrade"
  "$SLUICE_ROOT/deploy/local/test/upgrade.sh" || failed+=("the tests of an upgrade")
  suite_release "$nightly" || failed+=("the release")
  say "tests of the simulated HSM"
  make -s -C "$SLUICE_ROOT/loadtest/nethsm" && "$SLUICE_ROOT/loadtest/nethsm/test/run.sh" "$NETHSM_TESTS" ||
    failed+=("the simulated HSM's tests")
  say "tests of the alerts and the dashboard"
  "$SLUICE_ROOT/deploy/alerts/test/run.sh" || failed+=("the tests of the alerts and the dashboard")
  say "tests of the WAN"
  "$SLUICE_ROOT/loadtest/wan/test/run.sh" || failed+=("the WAN's tests")
  say "tests of the machine template"
  "$SLUICE_ROOT/deploy/vm-template/test/run.sh" || failed+=("the tests of the machine template")
  say "tests of the scripts for Hyper-V"
  "$SLUICE_ROOT/deploy/hyperv/test/run.sh" || failed+=("the tests of the scripts for Hyper-V")
  say "tests of the manifests for Kubernetes"
  "$SLUICE_ROOT/deploy/kubernetes/test/run.sh" || failed+=("the tests of the manifests for Kubernetes")
  say "tests of the containers"
  "$SLUICE_ROOT/deploy/compose/test/run.sh" ${nightly:+--engine} || failed+=("the tests of the containers")
  say "tests of the service"
  trap end_long INT TERM
  maven - verify -Pit -Dmatrix=full "$@" || failed+=("mvnw verify")
  [ ${#failed[@]} -eq 0 ] || die "failed: ${failed[*]}"
  say "all tests passed"
}

# What is committed, not what lies about: a tree that is no clone has nothing to release. suite_release NIGHTLY
suite_release() {
  if ! git -C "$SLUICE_ROOT" rev-parse --verify --quiet HEAD >/dev/null 2>&1; then
    say "warning: no git history here: no release is built"
    return 0
  fi
  say "tests of a release"
  "$SLUICE_ROOT/deploy/local/test/release.sh" || return
  [ -z "$1" ] || (release_command check)
}

# Foreign judges of our certificates, of TLS and of the API. A machine without Go or Python runs the
# suite without them: the conformance tests then count themselves as skipped.
install_linters() {
  (umask 022 && mkdir -p "$TOOLS/bin")
  if [ ! -x "$TOOLS/bin/zlint" ]; then
    have go && install_zlint >"$TOOLS/zlint.log" 2>&1 || say "warning: no zlint: $(last_words "$TOOLS/zlint.log")"
  fi
  if [ ! -x "$TOOLS/http/bin/schemathesis" ]; then
    have python3 && install_http_judges >"$TOOLS/http.log" 2>&1 || say "warning: no sslyze, no schemathesis: $(last_words "$TOOLS/http.log")"
  fi
  if [ ! -x "$TOOLS/pkilint/bin/lint_pkix_cert" ]; then
    have python3 && install_pkilint >"$TOOLS/pkilint.log" 2>&1 || say "warning: no pkilint: $(last_words "$TOOLS/pkilint.log")"
  fi
  if [ ! -x "$TOOLS/bin/prometheus" ]; then
    have dpkg-deb && install_prometheus >"$TOOLS/prometheus.log" 2>&1 || say "warning: no Prometheus: $(last_words "$TOOLS/prometheus.log")"
  fi
  if ! "$TOOLS/grafana-schema/bin/python3" -c 'import grafana_foundation_sdk' 2>/dev/null; then
    have python3 && install_grafana_schema >"$TOOLS/grafana-schema.log" 2>&1 || say "warning: no schema of Grafana: $(last_words "$TOOLS/grafana-schema.log")"
  fi
  if [ ! -d "$TOOLS/badkeys-examples" ]; then
    have python3 && install_badkeys >"$TOOLS/badkeys.log" 2>&1 || say "warning: no badkeys: $(last_words "$TOOLS/badkeys.log")"
  fi
}

# Sources and objects (200 MB) are dropped once the program is there; -modcacherw makes them removable.
install_zlint() {
  GOBIN="$TOOLS/bin" GOPATH="$TOOLS/go" GOCACHE="$TOOLS/go-build" GOFLAGS=-modcacherw \
    go install "github.com/zmap/zlint/v3/cmd/zlint@$ZLINT_VERSION" && rm -rf "$TOOLS/go" "$TOOLS/go-build"
}

install_pkilint() {
  rm -rf "$TOOLS/pkilint"
  python3 -m venv "$TOOLS/pkilint" &&
    "$TOOLS/pkilint/bin/pip" install -q --disable-pip-version-check "pkilint==$PKILINT_VERSION"
}

# badkeys judges keys; its source package has the keys that it must find. The vectors are requests that
# another library met in the wild; of their 56 MB only these are kept.
install_badkeys() {
  rm -rf "$TOOLS/badkeys" "$TOOLS/badkeys-source" "$TOOLS/cryptography-vectors"
  python3 -m venv "$TOOLS/badkeys" && mkdir -p "$TOOLS/badkeys-source" || return
  local pip=("$TOOLS/badkeys/bin/pip" -q --disable-pip-version-check)
  "${pip[@]}" install "badkeys==$BADKEYS_VERSION" &&
    "${pip[@]}" download --no-deps --no-binary :all: -d "$TOOLS/badkeys-source" "badkeys==$BADKEYS_VERSION" &&
    "${pip[@]}" download --no-deps -d "$TOOLS/badkeys-source" "cryptography-vectors==$CRYPTOGRAPHY_VECTORS_VERSION" &&
    python3 -m zipfile -e "$TOOLS"/badkeys-source/cryptography_vectors-*.whl "$TOOLS/badkeys-source/vectors" &&
    mkdir -p "$TOOLS/cryptography-vectors/cryptography_vectors/x509" &&
    mv "$TOOLS/badkeys-source/vectors/cryptography_vectors/x509/requests" "$TOOLS/cryptography-vectors/cryptography_vectors/x509/" &&
    tar -xzf "$TOOLS"/badkeys-source/badkeys-*.tar.gz -C "$TOOLS/badkeys-source" &&
    mv "$TOOLS/badkeys-source/badkeys-$BADKEYS_VERSION/tests/data" "$TOOLS/badkeys-examples" &&
    rm -rf "$TOOLS/badkeys-source"
}

# Out of its package, which would start a server as well. A fresh image has no package lists.
install_prometheus() {
  rm -rf "$TOOLS/prometheus" && (umask 022 && mkdir -p "$TOOLS/prometheus") && (
    cd "$TOOLS/prometheus" || exit
    timeout 300 apt-get -q download prometheus ||
      { is_root && timeout 120 apt-get -q update && timeout 300 apt-get -q download prometheus; } || exit
    dpkg-deb --fsys-tarfile prometheus_*.deb | tar -x ./usr/bin && mv usr/bin/promtool usr/bin/prometheus "$TOOLS/bin/"
  ) && rm -rf "$TOOLS/prometheus"
}

install_grafana_schema() {
  rm -rf "$TOOLS/grafana-schema"
  python3 -m venv "$TOOLS/grafana-schema" &&
    "$TOOLS/grafana-schema/bin/pip" install -q --disable-pip-version-check "grafana-foundation-sdk==$GRAFANA_SCHEMA_VERSION"
}

install_http_judges() {
  rm -rf "$TOOLS/http"
  python3 -m venv "$TOOLS/http" &&
    "$TOOLS/http/bin/pip" install -q --disable-pip-version-check \
      "sslyze==$SSLYZE_VERSION" "schemathesis==$SCHEMATHESIS_VERSION"
}
