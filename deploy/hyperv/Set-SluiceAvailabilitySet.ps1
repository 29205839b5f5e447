<#
.SYNOPSIS
    Keeps nodes on different hosts of a failover cluster, as an availability set does.

.DESCRIPTION
    Makes each node a role of the cluster and gives all of them one anti-affinity class: the cluster then places them on
    different hosts as far as there are enough, and two on one host rather than none. The same property is what an
    availability set of Virtual Machine Manager writes. Other classes of a role are kept.

    Changes nothing where it is so already. On hosts without a cluster, spread the names over the hosts yourself.

.PARAMETER Name
    Names of nodes, on this host.

.PARAMETER SetName
    The class: one for all nodes of one certificate authority.

.EXAMPLE
    .\Set-SluiceAvailabilitySet.ps1 -Name node-1, node-2

    Keeps two nodes apart.
#>
#Requires -Version 5.1
#Requires -Modules Hyper-V, FailoverClusters
#Requires -RunAsAdministrator
[CmdletBinding(SupportsShouldProcess = $true)]
param(
    [Parameter(Mandatory = $true)] [ValidatePattern('^[a-z0-9][a-z0-9-]{0,62}$')] [string[]] $Name,
    [ValidateNotNullOrEmpty()] [string] $SetName = 'sluice'
)

Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'

foreach ($node in $Name) {
    $group = Get-ClusterGroup | Where-Object { $_.Name -eq $node }
    if (-not $group) {
        if ($PSCmdlet.ShouldProcess($node, 'Make it a role of the cluster')) {
            $group = Add-ClusterVirtualMachineRole -VMName $node -Name $node
        } else {
            continue
        }
    }
    if ($group.AntiAffinityClassNames -contains $SetName) {
        Write-Verbose -Message "$node is in $SetName already."
        continue
    }
    if ($PSCmdlet.ShouldProcess($node, "Keep apart from others of $SetName")) {
        # The property takes this type alone, and only as a whole.
        $classes = New-Object -TypeName System.Collections.Specialized.StringCollection
        foreach ($class in @($group.AntiAffinityClassNames | Where-Object { $_ }) + $SetName) {
            $classes.Add($class) | Out-Null
        }
        $group.AntiAffinityClassNames = $classes
    }
}
