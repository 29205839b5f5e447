# shellcheck shell=bash
# What waits for a second person: read, approved, refused, withdrawn.

# After a request that answers 202: does it wait for a second person? Says so.
approval_waits() {
  local location
  location="$(header_value Location)"
  [ "$HTTP_STATUS" = 202 ] && [[ "$location" =~ ^/v1/approvals/[0-9a-f-]{36}$ ]] || return 1
  say "nothing is done yet: another administrator must run ./sluice approval show ${location##*/}, read it, and approve"
}

# `./sluice approval list | show ID | approve ID SHA256 | refuse ID SHA256 | withdraw ID`
approval_command() {
  local step="${1:-}"
  case "$step" in
    list | show | approve | refuse | withdraw) shift ;;
    *) bad_usage "approval needs list, show, approve, refuse or withdraw, not '$step'" ;;
  esac
  client_options '' "$@"
  local wanted=1 path
  case "$step" in list) wanted=0 ;; approve | refuse) wanted=2 ;; esac
  [ ${#ARGUMENTS[@]} -eq $wanted ] || bad_usage "approval $step needs $wanted argument(s)"
  [ $wanted -lt 1 ] || [[ "${ARGUMENTS[0]}" =~ ^[0-9a-f-]{36}$ ]] || bad_usage "'${ARGUMENTS[0]}' is not the id of an approval"
  [ $wanted -lt 2 ] || [[ "${ARGUMENTS[1]}" =~ ^[0-9a-f]{64}$ ]] || bad_usage "'${ARGUMENTS[1]}' is not the sha256 that show has printed"
  path="/v1/approvals${ARGUMENTS[0]:+/${ARGUMENTS[0]}}"
  begin_client admin.token
  case "$step" in
    list) request_until_done "$path" --header 'Accept: application/json'; approval_table ;;
    show) request_until_done "$path" --header 'Accept: application/json'; cat "$ANSWER/body"; printf '\n' ;;
    approve) approval_decide "$path/approval" ;;
    refuse) approval_decide "$path/refusal" ;;
    withdraw) request_until_done "$path" --request DELETE; say "$(json_value status)" ;;
  esac
}

approval_decide() {
  request_until_done "$1" --header 'Content-Type: application/json' --data-binary "{\"sha256\":\"${ARGUMENTS[1]}\"}"
  local status detail
  status="$(json_value status)"
  detail="$(json_value detail || true)"
  [ "$status" != failed ] || die "approved, but it could not be done any more: $detail"
  say "$status${detail:+: $detail}"
}

# A line each: id, status, action, who asked, when.
approval_table() {
  { tr -d '\n\r' <"$ANSWER/body" | grep -oE '"id":"[^"]*","action":"[^"]*","status":"[^"]*","askedBy":"[^"]*","askedAt":"[^"]*"' || true; } |
    sed -E 's/"[A-Za-z]+":"([^"]*)",?/\1  /g'
}
