<#
.SYNOPSIS
    Waits until nodes are ready, or says which are not.

.DESCRIPTION
    Asks each node's management port for its readiness, as a load balancer does: ready is a node that can sign, reaches
    its database and is not leaving. This host's address must be among the MONITORING addresses of the seed. A node on
    this host is found by the addresses that its machine tells Hyper-V; any other by its name or address in the network.

    Ends with an error that names those not ready in time.

.PARAMETER Name
    Names of nodes, or their addresses.

.PARAMETER TimeoutSeconds
    How long to wait for all of them; 0 asks once.

.PARAMETER ManagementPort
    The management port.

.OUTPUTS
    Nothing.

.EXAMPLE
    .\Wait-SluiceNode.ps1 -Name node-1, node-2 -TimeoutSeconds 600

.EXAMPLE
    .\Wait-SluiceNode.ps1 -Name node-1, 192.0.2.17 -TimeoutSeconds 0

    Are both ready now?
#>
#Requires -Version 5.1
#Requires -Modules Hyper-V
[CmdletBinding()]
param(
    [Parameter(Mandatory = $true)] [ValidatePattern('^[0-9A-Za-z.:-]+$')] [string[]] $Name,
    [ValidateRange(0, 3600)] [int] $TimeoutSeconds = 300,
    [ValidateRange(1, 65535)] [int] $ManagementPort = 8180
)

Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'

function Get-Address([string] $Node) {
    $machine = Get-VM | Where-Object { $_.Name -eq $Node }
    if (-not $machine) {
        return $Node
    }
    # Link-local addresses say nothing about who reaches the node.
    Get-VMNetworkAdapter -VMName $Node | ForEach-Object { $_.IPAddresses } | Where-Object { $_ -notmatch '^(169\.254\.|fe80:)' }
}

function Test-Ready([string] $Address) {
    $literal = if ($Address.Contains(':')) { "[$Address]" } else { $Address }
    $request = [System.Net.WebRequest]::Create("http://${literal}:$ManagementPort/actuator/health/readiness")
    # A proxy of this host's is none of the node's.
    $request.Proxy = $null
    $request.Timeout = 5000
    $request.ReadWriteTimeout = 5000
    try {
        $response = $request.GetResponse()
    } catch [System.Net.WebException] {
        Write-Verbose -Message "${Address}: $($_.Exception.Message)"
        return $false
    }
    try {
        return [int] $response.StatusCode -eq 200
    } finally {
        $response.Close()
    }
}

$clock = [System.Diagnostics.Stopwatch]::StartNew()
$waiting = @($Name)
while ($true) {
    $waiting = @(foreach ($node in $waiting) {
            $ready = @(Get-Address -Node $node | Where-Object { Test-Ready -Address $_ })
            if ($ready.Count -eq 0) { $node }
        })
    if ($waiting.Count -eq 0) {
        return
    }
    if ($clock.Elapsed.TotalSeconds -ge $TimeoutSeconds) {
        throw "not ready: $($waiting -join ', ')"
    }
    Start-Sleep -Seconds 3
}
