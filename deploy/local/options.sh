# shellcheck shell=bash
# Options: one table, four sources. Command line, then SLUICE_… environment, then sluice.yaml, then default.

# Every option that takes a value, with its default ('' = none). docs/CONFIGURATION.md explains them.
declare -A OPTION=(
  [data]="$SLUICE_ROOT/var"
  [bind]=127.0.0.1
  [port]=8443
  [http-port]=8080
  [public-url]=''
  [service-url]=''
  [acme-http-port]=80
  [acme-tls-port]=443
  [acme-resolver]=''
  [management-port]=8180
  [management-address]=127.0.0.1
  [nodes]=1
  [node-heap]=128m
  [pkcs11-module]=''
  [token-label]=''
  [pin-file]=''
  [tokens-file]=''
  [hsm-isolated]=no
  [issuer-key]=ec-p256
  [more-issuers]=''
  [database-url]=''
  [database-user]=sluice
  [database-password-file]=''
  [database-migration-user]=''
  [database-migration-password-file]=''
  [recalibrate]=false
  [cpu-profile]=false
  [prepare]=false
  [detach]=false
)
# Which of them the user chose: a contradiction with what DIR already holds must not pass silently.
declare -A CHOSEN=()
declare -a ARGUMENTS=()

readonly UP_OPTIONS='data bind port http-port public-url service-url acme-http-port acme-tls-port acme-resolver management-port management-address nodes node-heap
  pkcs11-module token-label pin-file tokens-file hsm-isolated issuer-key more-issuers database-url database-user database-password-file
  database-migration-user database-migration-password-file recalibrate prepare detach'
readonly FLAGS=' detach prepare recalibrate cpu-profile json dry-run brief volumes help '

# 30 nodes on one host is the density goal; the default port ranges are 100 apart.
readonly NODES_MAX=64

# One screen; `./sluice COMMAND --help` has the options.
usage() {
  cat <<'USAGE'
Sluice: a certificate authority that issues as fast as its HSM can sign.

Usage: ./sluice COMMAND [options]
  Trial             up, down, status, compose
  Certificates      enroll, batch, order, renew, get, find, revoke, revoke-all
  Connections       login, connections, logout
  Look              capacity, watch, expiry
  Shell             completion, man, schema
  Operate           profile, credential, approval, issuer, audit, ceremony
  ACME              endpoint, eab, request
  Machines          setup, vm
  Test and measure  test, bench, load, drill, plan
  Release           release

To begin:
  ./sluice up                  start a trial; Ctrl-C stops it
  ./sluice status              nodes, HSM, queue and rate of the trial
  ./sluice COMMAND --help      the options of a command, with their defaults
  ./sluice help                this page

Exit codes: 0 ok, 1 failed, 2 bad usage, 3 missing prerequisite.
USAGE
}

# The client's commands, all commands, and those whose options and help are another program's.
readonly CLIENT_COMMANDS='enroll batch order renew get find revoke revoke-all login connections logout profile endpoint approval issuer completion man schema credential eab request capacity watch expiry'
readonly COMMANDS="up down status compose audit ceremony setup vm test bench load drill plan release $CLIENT_COMMANDS"
readonly PROGRAMS=" $CLIENT_COMMANDS ceremony setup audit "

# command_usage COMMAND: its lines of the long text.
command_usage() {
  all_usage | awk -v command="$1" '/^  [.][/]sluice / { shown = $2 == command } shown'
  [ "$1" != up ] || up_usage
}

# nearest_command WORD: the command that the fewest changes of letters lead to.
nearest_command() {
  # shellcheck disable=SC2086 # a list of words
  printf '%s\n' $COMMANDS | awk -v word="$1" '
    function least(a, b) { return a < b ? a : b }
    function distance(a, b,   i, j, d) {
      for (i = 0; i <= length(a); i++) d[i, 0] = i
      for (j = 0; j <= length(b); j++) d[0, j] = j
      for (i = 1; i <= length(a); i++) for (j = 1; j <= length(b); j++)
        d[i, j] = least(least(d[i - 1, j], d[i, j - 1]) + 1, d[i - 1, j - 1] + (substr(a, i, 1) != substr(b, j, 1)))
      return d[length(a), length(b)]
    }
    { n = distance(substr(word, 1, 40), $1); if (NR == 1 || n < best) { best = n; nearest = $1 } }
    END { print nearest }'
}

all_usage() {
  cat <<'USAGE'
  ./sluice up [options]        start a trial: build, token, database, key ceremony, nodes
  ./sluice down [--data DIR]   stop the trial in DIR
  ./sluice status [--json]     show nodes, HSM, queue and rate
  ./sluice ceremony STEP …     key ceremony, step by step; with an external root: CSR out, certificate in
  ./sluice setup [options]     from a database and tokens to a node's configuration, by questions or options; goes on when stopped
  ./sluice audit verify [--data DIR | --database-url URL …] [--checkpoints DIR] [--key FILE]
                               check that the audit trail in the database was not changed, cut or rewritten
  ./sluice audit verify --key FILE [--checkpoints DIR] FILE…   the same of exported files, without a database
  ./sluice audit export [--data DIR] [--from TIME] [--out FILE]   export the audit trail as JSON lines
  ./sluice test [--nightly]    run the test suite as CI does; --nightly adds the long tests: soaks, drills, upgrade, mutation testing
  ./sluice release build [--commit C] [--out DIR]
                               make the packages of a commit: a node as a tar archive and for Debian, the client as a zip
  ./sluice release check [--commit C] [--out DIR]
                               build a release twice and compare the jar, its SBOM, its licences and its packages
  ./sluice bench [--data DIR] [--connections 16,64] [--seconds 20] [--warm-up 60] [--requests 12000] [--issuer-key rsa-2048] [--cpu-profile] [--out DIR]
                               certificates/s of one node, singly and in batches, and the CPU time of one
  ./sluice bench peers [--only sluice,step-ca,cfssl] [--connections 16,64] [--seconds 20] [--rounds 3] [--warm-up 60] [--out DIR]
                               the same load on step-ca and cfssl, which are built first, and the ratios
  ./sluice bench acme [--only sluice,sluice-http-01,step-ca] [--connections 16] [--seconds 15] [--rounds 3] [--warm-up 60] [--cpu-profile] [--out DIR]
                               certificates/s by ACME, with a binding and by http-01, compared with step-ca's
  ./sluice bench idle [--rates 0,2,20,200] [--minutes 10] [--after 2] [--only sluice,step-ca] [--node-heap SIZE] [--out DIR]
                               CPU time per certificate, latency and memory of a fresh node at low rates, CPU of an idle one,
                               compared with step-ca; takes 100 minutes, a trial run with --minutes 0.5 --after 0.2 some ten
  ./sluice bench lane [--seconds 10]   throughput of admission and the HSM queue, on a simulated HSM of 8,600/s
  ./sluice bench ledger [--rounds 3]   database time per certificate and certificates per commit, without a node
  ./sluice bench ocsp [--data DIR] [--connections 16,64] [--seconds 20]   stored OCSP responses/s of one node
  ./sluice bench classes      count the project's classes that one warm enrollment calls, through the JVM's debugger interface
  ./sluice bench client [--rounds 20]   time of the client's whole process, with and without its start-up cache
  ./sluice bench isolation     time of a signature with the PKCS#11 module in the node's process and in its own
  ./sluice bench crl [--entries 100000]  time to plan, sign and publish a CRL of that many entries
  ./sluice bench find [--entries 1000000] [--seconds 20]  time of one page of a search among that many certificates
  ./sluice bench index [--connections 64] [--seconds 20]   cost of the certificate index to issuance, in rounds with and without it
  ./sluice bench micro         time of each step of issuance by JMH, compared with the committed baseline
  ./sluice bench ratios        CPU time of steps of issuance in units of bare P-256 operations of the same run, and their allocation;
                               fails if one exceeds its limit in the committed baseline; takes 3 to 6 minutes; save renews it
  ./sluice bench machine [--out FILE] [--seconds 15] [--warm-up 60]   CPU time of certificates, handshakes, verifications
                               and OCSP on this machine, for plan --machine; takes 5 minutes and a build
  ./sluice plan --calibration FILE | --hsm-rate ec-p256=400,rsa-2048=90 | --hsm MODEL [--hsm-engines N] [--hsms N] [--demand FILE]
                [--machine FILE] [--cores N] [--database-cores N] [--json]   size HSMs, nodes and database for a demand; starts nothing
  ./sluice plan table [--machine FILE] [--hsm-rate …] [--json]   certificates/s, handshakes/s and OCSP/s of a core and an HSM, by key type
  ./sluice load SCENARIO [--nodes N] [--rate R] [--seconds S] [--clients N] [--connections keep|new] [--credentials token|certificate]
                [--when-refused leave|obey|ignore] [--resume DIR] [--out DIR]
                               load by Gatling on nodes with a simulated network HSM; writes a page of results: smoke, steady,
                               ramp, overload, burst, soak, mixed, two-keys, unfair
  ./sluice load PLAN [--nodes N] [--rate R] [--seconds S] [--crowd S] [--node-heap SIZE] [--out DIR]
                               load on nodes with a simulated network HSM: curve, fairness, herd, events, faults, remote-hsm,
                               status-soak, adcs-2009, …
  ./sluice load nodes [--nodes 1,2,4,8] [--rate R] [--seconds S] [--node-heap SIZE] [--out DIR]
                               the same load on the same HSM, shared by that many nodes in one run after another
  ./sluice load keyless [--seconds 4] [--rounds 3] [--out DIR]
                               signatures/s of the HSM adapter alone, compared with the bare token, by key type
  ./sluice load day [--certificates 20000000] [--marks 10000,1000000,…] [--nodes N] [--rate R] [--hours 20] [--resume DIR] [--out DIR]
                               issue that many certificates, in several sessions if need be: cost, latency, database and
                               CRL as they grow
  ./sluice vm build [--out DIR] [--cache DIR] [--overlay DIR] [--mirror URL] [--security-mirror URL]
                               build a virtual machine template (UEFI, Secure Boot): VHDX, qcow2, manifest
  ./sluice vm baseline [--out DIR] [--plant open-account]   audit the files of that image with lynis: index, warnings, suggestions
  ./sluice vm desk --pin-file F --database-password-file F [--hsm-client TAR] [--desk-dir DIR] [--bind A] [--port 7443]
                               serve new machines the secrets that no seed holds, while they join
  ./sluice vm seed --node NAME --desk HOST:PORT --settings FILE --out ISO [--desk-dir DIR] [--valid-hours 1] [--network-config FILE]
                               write a machine's configuration and its one-time join secret
  ./sluice vm boot [--data DIR] [--out DIR] [--memory MIB]   boot the image in QEMU, join, enroll, stop; prints the times
  ./sluice vm pair [--data DIR] [--out DIR] [--memory MIB] [--seconds S] [--plant no-notice]
                               run two machines on one database under load, stop one, kill the other, and judge
  ./sluice compose up [--data DIR] [--project NAME] [--base IMAGE] [--tag TAG]
                               start a trial in containers: PostgreSQL, a SoftHSM token, two nodes; builds the images
  ./sluice compose down [--project NAME] [--volumes]   stop it; --volumes also deletes its keys and its ledger
  ./sluice compose image [--base IMAGE] [--tag TAG]   build the images sluice-node and sluice-trial only
  ./sluice compose pin         pin the base images by their digests
  ./sluice drill restore [--seconds S] [--brief] [--plant signed-again] [--out DIR]
                               destroy a database under load, restore its backup, and compare what clients were answered
  ./sluice drill failover [--seconds S] [--stall S] [--brief] [--plant asynchronous] [--out DIR]
                               kill a primary under load, promote its standby, with synchronous and asynchronous
                               replication, and compare the same
  ./sluice drill rolling [--seconds S] [--load 40] [--plant no-notice] [--out DIR]
                               restart two nodes behind HAProxy one after the other under load, in percent of what both
                               can serve: no client may see a failure; prints what clients wait before and meanwhile
USAGE
}

up_usage() {
  cat <<'USAGE'

Options of up (environment: SLUICE_PORT=…; sluice.yaml: port: …):
  --data DIR                   keys, database, logs, tokens          (var/)
  --port N                     HTTPS; node i listens on N+i          (8443)
  --http-port N                CRL, OCSP, issuer certificates        (8080)
  --public-url URL             what AIA and CRL DP point to          (the http port of node 0)
  --service-url URL            where clients reach the service       (https://localhost:PORT)
  --acme-http-port N --acme-tls-port N --acme-resolver HOST:PORT   where the trial's ACME looks for proofs  (80, 443, the system's)
  --management-port N          health and metrics, loopback          (8180)
  --bind ADDRESS               address of both service ports         (127.0.0.1)
  --nodes N                    nodes sharing one token and database  (1)
  --node-heap SIZE             Java heap of a node                   (128m)
  --issuer-key ALGORITHM       rsa-2048 rsa-3072 rsa-4096 ec-p256 ec-p384 ed25519  (ec-p256)
  --more-issuers NAME=ALGORITHM,…   further issuers, for profiles that name them
  --pkcs11-module SO --token-label L --pin-file F    the token that signs  (SoftHSM in DIR)
  --tokens-file F              sign with the tokens that F lists; each must hold the ceremony's key
  --hsm-isolated yes|no        the PKCS#11 module in a process of its own  (no)
  --database-url JDBC --database-user U --database-password-file F         (embedded PostgreSQL)
  --database-migration-user U --database-migration-password-file F         the role that owns the tables  (--database-user)
  --recalibrate                measure the token again; every node must be stopped
  --prepare                    make the database, tokens and keys, but start no node; such a DIR may be copied
  --detach                     return when the nodes are ready
USAGE
}

env_name() {
  local name="${1^^}"
  printf 'SLUICE_%s' "${name//-/_}"
}

# parse_options "allowed names" ARGUMENTS…: fills OPTION, CHOSEN and ARGUMENTS (what is no option).
parse_options() {
  local allowed
  allowed=" $(tr -s ' \n' ' ' <<<"$1") help "
  shift
  options_from_file
  options_from_environment
  local name value given=' '
  while [ $# -gt 0 ]; do
    case "$1" in
      --?*=*) name="${1%%=*}"; name="${name#--}"; value="${1#*=}"; shift ;;
      --?*)
        name="${1#--}"; shift
        if [[ "$FLAGS" == *" $name "* ]]; then
          value=true
        elif [[ "$allowed" == *" $name "* ]]; then
          [ $# -gt 0 ] && [[ "$1" != --?* ]] || bad_usage "--$name needs a value"
          value="$1"; shift
        fi
        ;;
      -h) name=help; value=true; shift ;;
      -*) bad_usage "unknown option '$1'" ;;
      *) ARGUMENTS+=("$1"); shift; continue ;;
    esac
    [[ "$allowed" == *" $name "* ]] || bad_usage "unknown option '--$name'"
    [ "$name" != help ] || { command_usage "${COMMAND:-up}"; exit 0; }
    [ -n "$value" ] || bad_usage "--$name is empty"
    [[ "$given" != *" $name "* ]] || bad_usage "--$name is given twice"
    given+="$name "
    choose "$name" "$value"
  done
  OPTION[data]="$(absolute_path "${OPTION[data]}")"
}

choose() {
  if [[ "$FLAGS" == *" $1 "* && "$2" != true && "$2" != false ]]; then
    bad_usage "$1 is true or false, not '$2'"
  fi
  OPTION[$1]="$2"
  CHOSEN[$1]=yes
}

options_from_environment() {
  local name variable
  for name in $UP_OPTIONS; do
    variable="$(env_name "$name")"
    [ -z "${!variable:-}" ] || choose "$name" "${!variable}"
  done
}

# Flat `key: value` lines, the names of the options; SLUICE_CONFIG names another file.
options_from_file() {
  local file="${SLUICE_CONFIG:-$SLUICE_ROOT/sluice.yaml}" line name value number=0
  if [ ! -e "$file" ]; then
    [ -z "${SLUICE_CONFIG:-}" ] || bad_usage "SLUICE_CONFIG names no file: $file"
    return 0
  fi
  while IFS= read -r line || [ -n "$line" ]; do
    number=$((number + 1))
    [[ ! "$line" =~ ^[[:space:]]*(#.*)?$ && "$line" != --- ]] || continue
    [[ "$line" =~ ^([a-z0-9-]+):[[:space:]]+(.+)$ ]] || bad_usage "$file:$number is not 'key: value'"
    name="${BASH_REMATCH[1]}"
    value="$(yaml_scalar "${BASH_REMATCH[2]}")"
    [[ " $(tr -s ' \n' ' ' <<<"$UP_OPTIONS") " == *" $name "* ]] || bad_usage "$file:$number: unknown key '$name'"
    [ -n "$value" ] || bad_usage "$file:$number: $name is empty"
    choose "$name" "$value"
  done <"$file"
}

# The value without quotes, trailing comment and blanks.
yaml_scalar() {
  local value="$1"
  if [[ "$value" =~ ^\"([^\"]*)\" || "$value" =~ ^\'([^\']*)\' ]]; then
    printf '%s' "${BASH_REMATCH[1]}"
    return
  fi
  value="${value%%[[:space:]]#*}"
  printf '%s' "${value%"${value##*[![:space:]]}"}"
}

# Everything `up` can know to be wrong before it touches the machine.
validate_up_options() {
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "up takes no argument: '${ARGUMENTS[0]}'"
  require_number nodes 1 "$NODES_MAX"
  local name
  for name in port http-port management-port; do
    require_number "$name" 1 $((65536 - OPTION[nodes]))
  done
  require_disjoint_ports
  [[ "${OPTION[node-heap]}" =~ ^[1-9][0-9]{0,5}[mMgG]$ ]] || bad_usage "--node-heap is a size such as 128m, not '${OPTION[node-heap]}'"
  [[ "${OPTION[bind]}" =~ ^[0-9a-fA-F.:]+$ ]] || bad_usage "--bind is an IP address, not '${OPTION[bind]}'"
  # The management port has no authentication of its own yet: it never leaves the machine.
  [[ "${OPTION[management-address]}" =~ ^(127\.[0-9.]+|::1)$ ]] ||
    bad_usage "--management-address: only a loopback address in this version, not '${OPTION[management-address]}'"
  require_algorithm issuer-key "${OPTION[issuer-key]}"
  validate_more_issuers
  [[ "${OPTION[hsm-isolated]}" =~ ^(yes|no)$ ]] || bad_usage "--hsm-isolated is yes or no, not '${OPTION[hsm-isolated]}'"
  [ -n "${OPTION[public-url]}" ] || OPTION[public-url]="http://localhost:${OPTION[http-port]}"
  [[ "${OPTION[public-url]}" =~ ^https?://[^[:space:]]+$ ]] || bad_usage "--public-url is an http or https URL, not '${OPTION[public-url]}'"
  OPTION[public-url]="${OPTION[public-url]%/}"
  # One for all nodes: what is signed for one of them counts at each.
  [ -n "${OPTION[service-url]}" ] || OPTION[service-url]="https://localhost:${OPTION[port]}"
  OPTION[service-url]="${OPTION[service-url]%/}"
  [[ "${OPTION[service-url]}" =~ ^https://[^/?#@[:space:]]+$ ]] ||
    bad_usage "--service-url is https://host or https://host:port, without a path, not '${OPTION[service-url]}'"
  require_number acme-http-port 1 65535
  require_number acme-tls-port 1 65535
  [[ "${OPTION[acme-resolver]}" =~ ^([0-9.]+|\[[0-9a-fA-F:]+\])?(:[0-9]{1,5})?$ ]] ||
    bad_usage "--acme-resolver is an IP address and a port such as 127.0.0.1:5353, not '${OPTION[acme-resolver]}'"
  validate_token_options
  validate_database_options
}

require_algorithm() {
  [[ "$2" =~ ^(rsa-(2048|3072|4096)|ec-p(256|384)|ed25519)$ ]] ||
    bad_usage "--$1 '$2' is none of rsa-2048 rsa-3072 rsa-4096 ec-p256 ec-p384 ed25519"
}

# Sets MORE_ISSUERS: words NAME=ALGORITHM.
validate_more_issuers() {
  local issuer names=' issuing root name ' name
  IFS=, read -ra MORE_ISSUERS <<<"${OPTION[more-issuers]}"
  for issuer in "${MORE_ISSUERS[@]}"; do
    name="${issuer%%=*}"
    [[ "$issuer" =~ ^[a-z][a-z0-9-]{0,39}= && "$names" != *" $name "* ]] ||
      bad_usage "--more-issuers is NAME=ALGORITHM,…, each name another and not '$name'"
    names+="$name "
    require_algorithm more-issuers "${issuer#*=}"
  done
}

require_number() {
  local name="$1" value="${OPTION[$1]}"
  [[ "$value" =~ ^[0-9]{1,7}$ ]] && ((10#$value >= $2 && 10#$value <= $3)) ||
    bad_usage "--$name is a number from $2 to $3, not '$value'"
  OPTION[$name]=$((10#$value))
}

# Node i adds i to each of the three ports: the three ranges must not meet.
require_disjoint_ports() {
  local names=(port http-port management-port) i j distance
  for i in 0 1; do
    for ((j = i + 1; j < 3; j++)); do
      distance=$((OPTION[${names[i]}] - OPTION[${names[j]}]))
      ((${distance#-} >= OPTION[nodes])) ||
        bad_usage "--${names[i]} and --${names[j]} overlap: with --nodes ${OPTION[nodes]} they must be that far apart"
    done
  done
}

validate_token_options() {
  local name given=0
  [ -z "${OPTION[tokens-file]}" ] || require_file tokens-file
  for name in pkcs11-module token-label pin-file; do
    [ -z "${OPTION[$name]}" ] || given=$((given + 1))
  done
  case $given in
    0) return ;;
    3) ;;
    *) bad_usage "--pkcs11-module, --token-label and --pin-file belong together" ;;
  esac
  require_file pkcs11-module
  require_file pin-file
}

validate_database_options() {
  local url="${OPTION[database-url]}"
  if [ -z "$url" ]; then
    [ -z "${OPTION[database-password-file]}" ] || bad_usage "--database-password-file needs --database-url"
    [ -z "${OPTION[database-migration-user]}${OPTION[database-migration-password-file]}" ] ||
      bad_usage "--database-migration-user needs --database-url: the embedded database has one user"
    return 0
  fi
  [[ "$url" == jdbc:postgresql:* ]] || bad_usage "--database-url begins with jdbc:postgresql:"
  # Everyone on the machine can read a command line.
  [[ "${url,,}" != *password=* ]] || bad_usage "--database-url must not hold a password: give --database-password-file"
  [ -n "${OPTION[database-password-file]}" ] || bad_usage "--database-url needs --database-password-file"
  require_file database-password-file
  [ -n "${OPTION[database-migration-user]}${OPTION[database-migration-password-file]}" ] || return 0
  [ -n "${OPTION[database-migration-user]}" ] && [ -n "${OPTION[database-migration-password-file]}" ] ||
    bad_usage "--database-migration-user and --database-migration-password-file go together"
  require_file database-migration-password-file
}

require_file() {
  OPTION[$1]="$(absolute_path "${OPTION[$1]}")"
  [ -r "${OPTION[$1]}" ] && [ -f "${OPTION[$1]}" ] || bad_usage "--$1: cannot read ${OPTION[$1]}"
}
