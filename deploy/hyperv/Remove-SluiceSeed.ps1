<#
.SYNOPSIS
    Takes the seed out of nodes that have joined, and deletes it.

.DESCRIPTION
    A seed's secret is good for one machine and some hours, and its settings are nobody else's business. Waits for
    nothing: a node that is not ready is refused, for it may still need its seed. Changes nothing where there is none.

.PARAMETER Name
    Names of nodes, on this host.

.PARAMETER ManagementPort
    The management port, on which readiness is asked for.

.EXAMPLE
    .\Remove-SluiceSeed.ps1 -Name node-1, node-2
#>
#Requires -Version 5.1
#Requires -Modules Hyper-V
#Requires -RunAsAdministrator
[CmdletBinding(SupportsShouldProcess = $true)]
param(
    [Parameter(Mandatory = $true)] [ValidatePattern('^[a-z0-9][a-z0-9-]{0,62}$')] [string[]] $Name,
    [ValidateRange(1, 65535)] [int] $ManagementPort = 8180
)

Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'

foreach ($node in $Name) {
    $drives = @(Get-VMDvdDrive -VMName $node)
    if ($drives.Count -eq 0) {
        Write-Verbose -Message "$node has no seed any more."
        continue
    }
    & "$PSScriptRoot\Wait-SluiceNode.ps1" -Name $node -TimeoutSeconds 0 -ManagementPort $ManagementPort
    foreach ($drive in $drives) {
        $seed = $drive.Path
        if ($PSCmdlet.ShouldProcess($node, "Take out and delete $seed")) {
            # Hyper-V holds the file for as long as it is in the drive.
            Remove-VMDvdDrive -VMDvdDrive $drive
            if ($seed -and (Test-Path -LiteralPath $seed)) {
                Remove-Item -LiteralPath $seed -Force
            }
        }
    }
}
