<#
.SYNOPSIS
    Drains nodes and removes their machines.

.DESCRIPTION
    Looks first whether the nodes that remain are ready; if one is not, nothing is removed. Then each node is shut down
    through its operating system: it stops accepting, finishes what is in hand, hands back its leases and ends, in about
    a minute and a half at most. Hyper-V gives it five. Machine and disk are deleted; nothing is lost with them, for
    database and HSM have everything.

    Only machines that New-SluiceNode.ps1 made are removed, and of their disks only differencing ones. May be run again.

.PARAMETER Name
    Names of nodes, on this host.

.PARAMETER Remaining
    Names or addresses of nodes that must be ready, here or elsewhere.

.PARAMETER Last
    No node remains: the certificate authority stops answering.

.PARAMETER ManagementPort
    The management port, on which readiness is asked for.

.EXAMPLE
    .\Remove-SluiceNode.ps1 -Name node-1 -Remaining node-2, node-3

.EXAMPLE
    .\Remove-SluiceNode.ps1 -Name node-1, node-2 -Last -WhatIf

    Says what would be done.
#>
#Requires -Version 5.1
#Requires -Modules Hyper-V
#Requires -RunAsAdministrator
[CmdletBinding(SupportsShouldProcess = $true, ConfirmImpact = 'High', DefaultParameterSetName = 'Others')]
param(
    [Parameter(Mandatory = $true)] [ValidatePattern('^[a-z0-9][a-z0-9-]{0,62}$')] [string[]] $Name,
    [Parameter(Mandatory = $true, ParameterSetName = 'Others')] [ValidatePattern('^[0-9A-Za-z.:-]+$')] [string[]] $Remaining,
    [Parameter(Mandatory = $true, ParameterSetName = 'Last')] [switch] $Last,
    [ValidateRange(1, 65535)] [int] $ManagementPort = 8180
)

Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'

if (-not $Last) {
    $both = @($Name | Where-Object { $Remaining -contains $_ })
    if ($both.Count -gt 0) {
        throw "both to remove and to remain: $($both -join ', ')"
    }
}

foreach ($node in $Name) {
    $machine = Get-VM | Where-Object { $_.Name -eq $node }
    if (-not $machine) {
        Write-Verbose -Message "$node is gone already."
        continue
    }
    if ($machine.Notes -notlike 'sluice *') {
        throw "$node is a machine that New-SluiceNode.ps1 did not make, or did not finish"
    }
    # Asked before each one: the first to leave may have been what kept another ready.
    if (-not $Last) {
        & "$PSScriptRoot\Wait-SluiceNode.ps1" -Name $Remaining -TimeoutSeconds 0 -ManagementPort $ManagementPort
    }
    $disks = @(Get-VMHardDiskDrive -VMName $node | ForEach-Object { $_.Path })
    $whole = @($disks | Where-Object { (Get-VHD -Path $_).VhdType -ne 'Differencing' })
    if ($whole.Count -gt 0) {
        throw "not a differencing disk: $($whole -join ', ')"
    }
    $seeds = @(Get-VMDvdDrive -VMName $node | ForEach-Object { $_.Path } | Where-Object { $_ })

    if ($PSCmdlet.ShouldProcess($node, 'Drain and remove')) {
        # The cluster first, or it would start again what it sees end.
        if ($machine.IsClustered) {
            Remove-ClusterGroup -Name $node -RemoveResources -Force
        }
        if ($machine.State -ne 'Off') {
            Stop-VM -Name $node -Force
        }
        Remove-VM -Name $node -Force
        foreach ($file in $disks + $seeds) {
            if (Test-Path -LiteralPath $file) {
                Remove-Item -LiteralPath $file -Force
            }
        }
    }
}
