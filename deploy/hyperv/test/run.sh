#!/usr/bin/env bash
# Tests of the scripts for Hyper-V: parsed and compared with Microsoft's documentation, never run, for there is no
# PowerShell here. Each test is a function test_…; `run.sh PATTERN` runs those whose names match.
# shellcheck disable=SC2016 # the dollar signs are PowerShell's
set -uo pipefail

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
SCRIPTS="$(dirname "$HERE")"
SLUICE_ROOT="$(readlink -f "$HERE/../../..")"
PATTERN="${1:-.}"
WORK="$(mktemp -d)"
export LC_ALL=C
trap 'rm -rf "$WORK"' EXIT
trap 'exit 1' INT TERM
# shellcheck source=/dev/null
for part in common tools test/runner; do source "$SLUICE_ROOT/deploy/local/$part.sh"; done

parser_is_there() { tool powershell || { skip "no parser: $(last_words "$(tool_log powershell)")"; return 1; }; }

judge() { timeout 60 "$TOOLS/powershell/bin/python" "$HERE/check.py" "$HERE/cmdlets" "$1"/*.ps1; }

test_scripts_parseAndCallWhatIsDocumented() {
  parser_is_there || return 0
  judge "$SCRIPTS" || fail "faults"
}

# planted SCRIPT EDIT SAID: with the script edited by sed, the judge says so, and nothing else.
planted() {
  parser_is_there || return 0
  rm -rf "$WORK/planted"
  mkdir "$WORK/planted"
  cp "$SCRIPTS"/*.ps1 "$WORK/planted"
  sed -i "$2" "$WORK/planted/$1"
  ! cmp -s "$SCRIPTS/$1" "$WORK/planted/$1" || fail "the edit of $1 changed nothing" || return 1
  ! judge "$WORK/planted" >"$WORK/said" 2>&1 || fail "not found" || return 1
  grep -q "^$1:[0-9]*: $3" "$WORK/said" || fail "not '$3' but: $(head -n 3 "$WORK/said")" || return 1
}

test_planted_syntaxErrors_areFound() {
  planted New-SluiceNode.ps1 's/^foreach (\$node in \$Name) {/foreach ($node in $Name {/' 'does not parse' &&
    planted Wait-SluiceNode.ps1 's/^    Start-Sleep -Seconds 3$/    Start-Sleep -Seconds (3/' 'does not parse' &&
    planted Import-SluiceTemplate.ps1 "s/^    throw \"\\\$Vhdx is not.*/    throw \"/" 'does not parse' &&
    planted Remove-SluiceNode.ps1 '$ d' 'does not parse'
}

test_planted_parameterThatIsNone_isFound() {
  planted New-SluiceNode.ps1 's/-NewLocalKeyProtector/-LocalKeyProtector/' 'Set-VMKeyProtector has no parameter LocalKeyProtector' &&
    planted Update-SluiceNode.ps1 's/-Remaining \$staying/-Staying $staying/' 'Remove-SluiceNode.ps1 has no parameter Staying'
}

test_planted_cmdletThatIsNone_isFound() {
  planted New-SluiceNode.ps1 's/Enable-VMTPM/Enable-VMTpmDevice/' 'Enable-VMTpmDevice is no cmdlet' &&
    planted Update-SluiceNode.ps1 's/Remove-SluiceSeed\.ps1/Remove-Seed.ps1/' 'no script Remove-Seed.ps1'
}

test_planted_parameterByPosition_isFound() {
  planted Remove-SluiceNode.ps1 's/Remove-VM -Name \$node/Remove-VM $node/' 'Remove-VM is given \$node by position'
}

test_planted_changeThatWhatIfWouldMake_isFound() {
  planted Set-SluiceHost.ps1 's/^if (\$PSCmdlet.ShouldProcess.*/if ($true) {/' 'Set-VMHost without ShouldProcess' &&
    planted Remove-SluiceSeed.ps1 's/^        if (\$PSCmdlet.ShouldProcess.*/&\n        } else {/' 'Remove-Item without ShouldProcess'
}

test_planted_helpWithoutAParameter_isFound() {
  planted Wait-SluiceNode.ps1 's/^\.PARAMETER TimeoutSeconds/.PARAMETER Timeout/' 'parameter TimeoutSeconds is not in the help' &&
    planted Set-SluiceHost.ps1 's/^\.EXAMPLE/.LINK/' 'the help has no .EXAMPLE'
}

test_planted_lettersBeyondAscii_areFound() {
  planted Set-SluiceHost.ps1 "s/Takes effect when the service/Takes effect \xe2\x80\x93 when the service/" 'not plain ASCII'
}

run_tests "$PATTERN"
