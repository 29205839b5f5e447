<#
.SYNOPSIS
    Brings a machine template to this host, as the read-only parent of its nodes' disks.

.DESCRIPTION
    Compares the disk with the SHA-256 in the manifest of its build, copies it, compares the copy, and makes it
    read-only: a parent that changes breaks every disk made on it. The copy is named by its SHA-256, so that templates
    of several builds lie beside each other, and a second run finds the first one's copy.

    Bring the manifest from the machine that built the template by another way than the disk: whoever can change both
    is not noticed.

.PARAMETER Vhdx
    sluice.vhdx, an output of './sluice vm build'.

.PARAMETER Manifest
    The manifest of the same build.

.PARAMETER Folder
    Where templates are kept on this host, or on the cluster's shared volume.

.OUTPUTS
    The template's path, for New-SluiceNode.ps1.

.EXAMPLE
    $template = .\Import-SluiceTemplate.ps1 -Vhdx E:\sluice.vhdx -Manifest .\manifest -Folder D:\Templates
#>
#Requires -Version 5.1
[CmdletBinding(SupportsShouldProcess = $true)]
param(
    [Parameter(Mandatory = $true)] [ValidateNotNullOrEmpty()] [string] $Vhdx,
    [Parameter(Mandatory = $true)] [ValidateNotNullOrEmpty()] [string] $Manifest,
    [Parameter(Mandatory = $true)] [ValidateNotNullOrEmpty()] [string] $Folder
)

Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'

$lines = @(Get-Content -LiteralPath $Manifest | Where-Object { $_ -match '^sha256 sluice\.vhdx: [0-9a-f]{64}$' })
if ($lines.Count -ne 1) {
    throw "$Manifest does not say the SHA-256 of sluice.vhdx once"
}
$expected = $lines[0].Substring($lines[0].Length - 64)
$template = Join-Path -Path $Folder -ChildPath "sluice-$($expected.Substring(0, 16)).vhdx"

if (Test-Path -LiteralPath $template) {
    if ((Get-FileHash -LiteralPath $template -Algorithm SHA256).Hash -ne $expected) {
        throw "$template has changed since it was imported: nodes on it are broken"
    }
    Write-Verbose -Message "$template is there already."
    return $template
}
if ((Get-FileHash -LiteralPath $Vhdx -Algorithm SHA256).Hash -ne $expected) {
    throw "$Vhdx is not the disk that $Manifest describes"
}
if ($PSCmdlet.ShouldProcess($template, "Copy $Vhdx")) {
    $copy = "$template.new"
    New-Item -Path $Folder -ItemType Directory -Force | Out-Null
    Copy-Item -LiteralPath $Vhdx -Destination $copy -Force
    if ((Get-FileHash -LiteralPath $copy -Algorithm SHA256).Hash -ne $expected) {
        throw "$copy was damaged while it was copied"
    }
    Set-ItemProperty -LiteralPath $copy -Name IsReadOnly -Value $true
    Move-Item -LiteralPath $copy -Destination $template
}
return $template
