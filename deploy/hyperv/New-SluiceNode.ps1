<#
.SYNOPSIS
    Stamps nodes from the template: a Generation 2 machine each, with a differencing disk, a virtual TPM and its seed.

.DESCRIPTION
    For each name: a machine with Secure Boot (Microsoft UEFI Certificate Authority), a differencing disk on the
    template, a virtual TPM, dynamic memory, and the seed NAME.iso of the seeds' folder as a DVD; then it is started
    and joins by itself. More names of a later call are how to scale out.

    What would write a node's memory to the host's disk, and with it the PIN, is off: checkpoints, saving the machine
    when the host stops (it is shut down, and drains), and Smart Paging, which needs a start-up memory above the
    minimum: here they are the same. What Hyper-V still writes of its state, and what it sends when it migrates, is
    encrypted.

    May be run again: a machine that was not finished is finished, one that is stopped is started, one of another
    template is refused. Seeds are good for an hour unless made for longer: make them just before.

.PARAMETER Name
    Names of nodes: as in their seeds, and as the machines are called.

.PARAMETER Template
    What Import-SluiceTemplate.ps1 returned.

.PARAMETER SeedFolder
    Has NAME.iso for each name, made by './sluice vm seed'. Never a PIN or a password.

.PARAMETER Path
    Where machines are kept: PATH\NAME\NAME.vhdx. On a cluster, a folder of a shared volume.

.PARAMETER SwitchName
    The virtual switch.

.PARAMETER VlanId
    The VLAN of the switch's port; 0 for none.

.PARAMETER ProcessorCount
    Virtual processors of a node.

.PARAMETER MemoryMinimumMB
    Memory at start, and the least that is left to a node: 512 to 1024.

.PARAMETER MemoryMaximumMB
    The most that a node gets: up to 4096.

.EXAMPLE
    .\New-SluiceNode.ps1 -Name node-1, node-2 -Template $template -SeedFolder E:\seeds -Path D:\Machines -SwitchName pki

    Two nodes. Then: .\Wait-SluiceNode.ps1 -Name node-1, node-2

.EXAMPLE
    .\New-SluiceNode.ps1 -Name node-3 -Template $template -SeedFolder E:\seeds -Path D:\Machines -SwitchName pki -WhatIf

    Says what would be done.
#>
#Requires -Version 5.1
#Requires -Modules Hyper-V
#Requires -RunAsAdministrator
[CmdletBinding(SupportsShouldProcess = $true)]
param(
    [Parameter(Mandatory = $true)] [ValidatePattern('^[a-z0-9][a-z0-9-]{0,62}$')] [string[]] $Name,
    [Parameter(Mandatory = $true)] [ValidateNotNullOrEmpty()] [string] $Template,
    [Parameter(Mandatory = $true)] [ValidateNotNullOrEmpty()] [string] $SeedFolder,
    [Parameter(Mandatory = $true)] [ValidateNotNullOrEmpty()] [string] $Path,
    [Parameter(Mandatory = $true)] [ValidateNotNullOrEmpty()] [string] $SwitchName,
    [ValidateRange(0, 4094)] [int] $VlanId = 0,
    [ValidateRange(1, 64)] [int] $ProcessorCount = 2,
    [ValidateRange(512, 1024)] [int] $MemoryMinimumMB = 512,
    [ValidateRange(512, 4096)] [int] $MemoryMaximumMB = 1024
)

Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'

if ($MemoryMaximumMB -lt $MemoryMinimumMB) {
    throw 'MemoryMaximumMB is below MemoryMinimumMB'
}
[long] $minimum = $MemoryMinimumMB * 1mb
[long] $maximum = $MemoryMaximumMB * 1mb
# Hyper-V tells whole paths.
$Path = $PSCmdlet.GetUnresolvedProviderPathFromPSPath($Path)
# Written last, so a machine without it is not finished and never ran.
$mark = "sluice $(Split-Path -Path $Template -Leaf)"

foreach ($node in $Name) {
    $folder = Join-Path -Path $Path -ChildPath $node
    $disk = Join-Path -Path $folder -ChildPath "$node.vhdx"
    $seed = Join-Path -Path $SeedFolder -ChildPath "$node.iso"
    # By comparing names: an error of Get-VM must not look like 'not there', and its -Name takes wildcards.
    $machine = Get-VM | Where-Object { $_.Name -eq $node }

    if ($machine -and $machine.Notes -like 'sluice *') {
        if ($machine.Notes -ne $mark) {
            throw "$node is there, from another template ($($machine.Notes)): replace it by Update-SluiceNode.ps1"
        }
        if ($machine.State -eq 'Off' -and $PSCmdlet.ShouldProcess($node, 'Start')) {
            Start-VM -Name $node
        }
        continue
    }
    if ($machine -and ($machine.State -ne 'Off' -or $machine.Path -ne $folder)) {
        throw "$node is a machine that this script did not make"
    }
    if (-not $machine -and (Test-Path -LiteralPath $disk)) {
        throw "$disk is left from another node: its machine is gone, remove it too"
    }
    if (-not (Test-Path -LiteralPath $seed)) {
        throw "no seed $seed"
    }

    if ($PSCmdlet.ShouldProcess($node, "Stamp from $Template")) {
        if (-not $machine) {
            New-VM -Name $node -Generation 2 -NoVHD -MemoryStartupBytes $minimum -SwitchName $SwitchName -Path $Path | Out-Null
        }
        if (-not (Test-Path -LiteralPath $disk)) {
            New-VHD -Path $disk -ParentPath $Template -Differencing | Out-Null
        }
        if (-not (Get-VMHardDiskDrive -VMName $node)) {
            Add-VMHardDiskDrive -VMName $node -ControllerType SCSI -Path $disk
        }
        Set-VMFirmware -VMName $node -EnableSecureBoot On -SecureBootTemplate MicrosoftUEFICertificateAuthority -FirstBootDevice (Get-VMHardDiskDrive -VMName $node)
        Set-VMMemory -VMName $node -DynamicMemoryEnabled $true -MinimumBytes $minimum -StartupBytes $minimum -MaximumBytes $maximum
        Set-VMProcessor -VMName $node -Count $ProcessorCount
        Set-VM -Name $node -AutomaticStartAction Start -AutomaticStopAction ShutDown -CheckpointType Disabled
        Set-VMNetworkAdapter -VMName $node -MacAddressSpoofing Off -DhcpGuard On -RouterGuard On
        if ($VlanId -ne 0) {
            Set-VMNetworkAdapterVlan -VMName $node -Access -VlanId $VlanId
        }
        Set-VMKeyProtector -VMName $node -NewLocalKeyProtector
        Enable-VMTPM -VMName $node
        Set-VMSecurity -VMName $node -EncryptStateAndVmMigrationTraffic $true
        if (-not (Get-VMDvdDrive -VMName $node)) {
            Add-VMDvdDrive -VMName $node -Path $seed
        }
        Set-VM -Name $node -Notes $mark
        Start-VM -Name $node
    }
}
