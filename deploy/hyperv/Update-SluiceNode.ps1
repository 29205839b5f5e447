<#
.SYNOPSIS
    Replaces nodes by nodes of another template, one after the other, without an interruption.

.DESCRIPTION
    For each pair: stamps the new node, waits until it is ready, asks your own check, takes its seed out; then looks
    whether all others are ready, drains the old node and removes it. The first failure ends the run with the old node
    still serving: mend the cause and run the same line again, which goes on where it ended. A new node that is ready but
    fails your check serves, too, until you remove it.

    Nodes of two releases work together for as long as the replacement takes, but not for longer than an upgrade allows
    (docs/OPERATIONS.md). Seeds must hold for the whole run: './sluice vm seed --valid-hours'.

.PARAMETER Old
    Names of the nodes to be replaced, on this host.

.PARAMETER New
    Names of those that replace them, as many, none of them in Old: a name is free again when its node is gone.

.PARAMETER Remaining
    Names or addresses of other nodes, here or elsewhere, that must be ready whenever an old one leaves.

.PARAMETER Check
    Called with a new node's name when it is ready; an error ends the run. Enroll once at the node here.

.PARAMETER ReadySeconds
    How long a new node may take to be ready.

.PARAMETER Stamp
    The parameters of New-SluiceNode.ps1 for the new nodes, without Name.

.PARAMETER ManagementPort
    The management port, on which readiness is asked for.

.EXAMPLE
    $stamp = @{ Template = $template; SeedFolder = 'E:\seeds'; Path = 'D:\Machines'; SwitchName = 'pki' }
    .\Update-SluiceNode.ps1 -Old node-1, node-2 -New node-3, node-4 -Stamp $stamp

.EXAMPLE
    .\Update-SluiceNode.ps1 -Old node-1 -New node-3 -Remaining 192.0.2.17 -Check { param($node) .\enroll-once.ps1 $node } -Stamp $stamp

    One node, while another on another host must be ready, too.
#>
#Requires -Version 5.1
#Requires -Modules Hyper-V
#Requires -RunAsAdministrator
[CmdletBinding(SupportsShouldProcess = $true, ConfirmImpact = 'High')]
param(
    [Parameter(Mandatory = $true)] [ValidatePattern('^[a-z0-9][a-z0-9-]{0,62}$')] [string[]] $Old,
    [Parameter(Mandatory = $true)] [ValidatePattern('^[a-z0-9][a-z0-9-]{0,62}$')] [string[]] $New,
    [ValidatePattern('^[0-9A-Za-z.:-]+$')] [string[]] $Remaining = @(),
    [scriptblock] $Check,
    [ValidateRange(10, 3600)] [int] $ReadySeconds = 300,
    [Parameter(Mandatory = $true)] [hashtable] $Stamp,
    [ValidateRange(1, 65535)] [int] $ManagementPort = 8180
)

Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'

$names = @($Old) + @($New)
if ($Old.Count -ne $New.Count -or @($names | Sort-Object -Unique).Count -ne $names.Count) {
    throw 'Old and New are as many names, all different'
}

for ($i = 0; $i -lt $Old.Count; $i++) {
    $leaving = $Old[$i]
    $coming = $New[$i]
    if (-not $PSCmdlet.ShouldProcess($leaving, "Replace by $coming of $($Stamp['Template'])")) {
        continue
    }
    & "$PSScriptRoot\New-SluiceNode.ps1" -Name $coming @Stamp -Confirm:$false
    & "$PSScriptRoot\Wait-SluiceNode.ps1" -Name $coming -TimeoutSeconds $ReadySeconds -ManagementPort $ManagementPort
    if ($Check) {
        & $Check $coming
    }
    & "$PSScriptRoot\Remove-SluiceSeed.ps1" -Name $coming -ManagementPort $ManagementPort -Confirm:$false
    # New ones so far, old ones still there, and those elsewhere.
    $staying = @($New[0..$i]) + @($Old | Select-Object -Skip ($i + 1)) + $Remaining
    & "$PSScriptRoot\Remove-SluiceNode.ps1" -Name $leaving -Remaining $staying -ManagementPort $ManagementPort -Confirm:$false
}
