<#
.SYNOPSIS
    Prepares a Hyper-V host for nodes: no machine takes memory from two NUMA nodes.

.DESCRIPTION
    Switches NUMA spanning off, for all machines of this host. A node has two processors and at most 1 GiB, so it fits
    in any NUMA node; with spanning on, the host may lend it memory of another one, which is slower to reach. With
    spanning off a machine that fits nowhere does not start, instead of running slowly: see that big machines of this
    host have a virtual NUMA topology before.

    Takes effect when the service vmms is restarted, which this script leaves to you: running machines go on meanwhile,
    but nobody can manage them. Changes nothing where spanning is off already.

.EXAMPLE
    .\Set-SluiceHost.ps1 -WhatIf

    Says what would be changed.
#>
#Requires -Version 5.1
#Requires -Modules Hyper-V
#Requires -RunAsAdministrator
[CmdletBinding(SupportsShouldProcess = $true, ConfirmImpact = 'High')]
param()

Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'

$machineHost = Get-VMHost
if (-not $machineHost.NumaSpanningEnabled) {
    Write-Verbose -Message 'NUMA spanning is off already.'
    return
}
if ($PSCmdlet.ShouldProcess($machineHost.Name, 'Switch NUMA spanning off for all machines')) {
    Set-VMHost -NumaSpanningEnabled $false
    Write-Warning -Message 'Takes effect when the service vmms is restarted: Restart-Service vmms'
}
