# shellcheck shell=bash
# `status`: what the nodes of DIR say of themselves, from health, metrics and capacity.

status() {
  parse_options 'data json' "$@"
  [ ${#ARGUMENTS[@]} -eq 0 ] || bad_usage "status takes no argument: '${ARGUMENTS[0]}'"
  use_data
  [ -d "$DATA" ] || die "nothing runs in $DATA"
  have curl || missing_prerequisite "curl is missing: install the package curl"
  local nodes i rows='' first_ticks
  for i in port management-port management-address; do
    OPTION[$i]="$(run_value "$i")"
  done
  nodes="$(run_value nodes)"
  [ -n "$nodes" ] || die "no ./sluice up has been ready in $DATA"
  # Two looks, one second apart: the rate is what was issued between them.
  local -A first_count=()
  for ((i = 0; i < nodes; i++)); do
    first_count[$i]="$(node_metrics "$i" | metric_sum ca_issued_total)"
  done
  first_ticks="${EPOCHREALTIME/./}"
  sleep 1
  for ((i = 0; i < nodes; i++)); do
    rows+="$(status_row "$i" "${first_count[$i]}" "$first_ticks")"$'\n'
  done
  if [ "${OPTION[json]:-false}" = true ]; then
    local refused=''
    for ((i = 0; i < nodes; i++)); do
      refused+="$(refused_profiles "$i")"$'\n'
    done
    REFUSED_PROFILES="$refused" status_json <<<"$rows"
  else
    status_table <<<"$rows"
    for ((i = 0; i < nodes; i++)); do
      node_metrics "$i" | status_tokens "$i"
    done | status_tokens_table
    for ((i = 0; i < nodes; i++)); do
      refused_profile_lines "$i"
    done
  fi
  ! grep -qv -e '^[0-9]* [0-9-]* ready ' -e '^$' <<<"$rows"
}

node_url() {
  printf 'http://%s:%s' "$(url_host "${OPTION[management-address]}")" "$((OPTION[management-port] + $1))"
}

node_metrics() {
  curl -sf --noproxy '*' --max-time 2 "$(node_url "$1")/actuator/prometheus" 2>/dev/null || true
}

# refused_profiles I: the activated profiles that a node cannot issue by, as a JSON object of name and reason.
refused_profiles() {
  local object=''
  object="$(curl -sf --noproxy '*' --max-time 2 "$(node_url "$1")/actuator/health/readiness" 2>/dev/null | tr -d '\n\r' |
    grep -oE '"refused":\{("([^"\\]|\\.)*":"([^"\\]|\\.)*",?)*\}' | head -n 1)" || true
  printf '%s' "${object:+${object#*:}}"
  [ -n "$object" ] || printf '{}'
}

# The same as lines for people. A profile that a node refuses does not make it unready: it issues under the others.
refused_profile_lines() {
  { refused_profiles "$1" | grep -oE '"[a-z0-9-]+":"([^"\\]|\\.)*"' || true; } |
    sed -E 's/^"([^"]*)":"(.*)"$/node '"$1"' issues nothing under profile \1: \2/; s/\\(["\\\/])/\1/g'
}

# metric_sum NAME: the sum over all label sets; '-' if the node does not tell.
metric_sum() {
  awk -v name="$1" '$1 == name || index($1, name "{") == 1 { sum += $NF; seen = 1 }
    END { if (seen) printf "%.0f", sum; else printf "-" }'
}

# One node as words: number pid state depth capacity inflight limit issued rate memory(MiB); '-' if unknown.
status_row() {
  local i="$1" issued_before="$2" ticks="$3" pid state=stopped metrics='' words='' name rate='-' issued memory='-'
  pid="$(node_pid "$i")"
  if [ -n "$pid" ]; then
    state='not-ready'
    ! node_is_ready "$i" || state=ready
    metrics="$(node_metrics "$i")"
    memory="$(awk '/^VmRSS:/ { printf "%.0f", $2 / 1024 }' "/proc/$pid/status" 2>/dev/null || printf -- '-')"
  fi
  for name in ca_sign_queue_depth ca_sign_queue_capacity ca_hsm_inflight ca_hsm_inflight_limit; do
    words+="$(metric_sum "$name" <<<"$metrics") "
  done
  issued="$(metric_sum ca_issued_total <<<"$metrics")"
  [ "$issued" = - ] || [ "$issued_before" = - ] ||
    rate="$(awk -v n=$((issued - issued_before)) -v t=$((${EPOCHREALTIME/./} - ticks)) 'BEGIN { printf "%.0f", n * 1000000 / t }')"
  printf '%s %s %s %s%s %s %s' "$i" "${pid:--}" "$state" "$words" "$issued" "$rate" "$memory"
}

status_table() {
  printf '%-5s %-8s %-10s %-12s %-12s %10s %8s %8s\n' NODE PID STATE QUEUE HSM ISSUED RATE/S MEM/MiB
  awk 'NF { printf "%-5s %-8s %-10s %-12s %-12s %10s %8s %8s\n", $1, $2, $3, $4 "/" $5, $6 "/" $7, $8, $9, $10 }'
}

# status_tokens I: each token of a node as words: number token state breaker inflight limit keys.
status_tokens() {
  awk -v node="$1" '
    function label(name) { return match($0, name "=\"[^\"]*\"") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 3) : "" }
    /^ca_hsm_(state|breaker)[{]/ && $NF == 1 { said[$1 ~ /^ca_hsm_state/ ? "state" : "breaker", label("hsm")] = label("state") }
    /^ca_hsm_state[{]/ && !(label("hsm") in seen) { seen[label("hsm")] = 1; tokens[++count] = label("hsm") }
    /^ca_hsm_inflight[{]/ { inflight[label("hsm")] = $NF }
    /^ca_hsm_inflight_limit[{]/ { limit[label("hsm")] = $NF }
    /^ca_hsm_keys[{]/ { keys[label("hsm")] = $NF }
    END {
      for (i = 1; i <= count; i++) {
        t = tokens[i]
        printf "%d %s %s %s %d %d %d\n", node, t, said["state", t], said["breaker", t] == "" ? "-" : said["breaker", t], inflight[t], limit[t], keys[t]
      }
    }'
}

status_tokens_table() {
  awk 'NF { if (!header++) { printf "\n%-5s %-16s %-12s %-10s %-12s %5s\n", "NODE", "TOKEN", "STATE", "BREAKER", "HSM", "KEYS" }
    printf "%-5s %-16s %-12s %-10s %-12s %5s\n", $1, $2, $3, $4, $5 "/" $6, $7 }'
}

status_json() {
  awk -v data="$DATA" -v capacity="$(capacity_document)" '
    function value(word) { return word == "-" ? "null" : word }
    BEGIN { split(ENVIRON["REFUSED_PROFILES"], refused, "\n")
      gsub(/["\\]/, "\\\\&", data); printf "{\"data\":\"%s\",\"nodes\":[", data }
    NF { printf "%s{\"node\":%d,\"pid\":%s,\"state\":\"%s\",\"queueDepth\":%s,\"queueCapacity\":%s,\"hsmInflight\":%s,\"hsmLimit\":%s,\"issued\":%s,\"ratePerSecond\":%s,\"residentMebibytes\":%s,\"refusedProfiles\":%s}",
      comma, $1, value($2), $3, value($4), value($5), value($6), value($7), value($8), value($9), value($10), refused[NR]; comma = "," }
    END { printf "],\"capacity\":%s}\n", capacity }'
}

# GET /v1/capacity of the first node that answers, as it is; null where none does.
capacity_document() {
  local document='' i
  for ((i = 0; i < $(run_value nodes); i++)); do
    [ -r "$DATA/root.pem" ] && [ -r "$DATA/enroll.token" ] || break
    document="$(curl -sf --noproxy '*' --max-time 2 --config - --cacert "$DATA/root.pem" "https://localhost:$((OPTION[port] + i))/v1/capacity" \
      2>/dev/null <<<"header = \"Authorization: Bearer $(head -n 1 "$DATA/enroll.token")\"" || true)"
    [ -z "$document" ] || break
  done
  [[ "$document" == \{*\} ]] && printf '%s' "$document" || printf null
}
