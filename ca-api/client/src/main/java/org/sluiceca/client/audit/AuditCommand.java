package org.sluiceca.client.audit;

import picocli.CommandLine.Command;

/** {@code sluice audit …}: the audit trail, exported and verified. */
@Command(
    name = "audit",
    description = {
      "Export the audit trail, and verify an export.",
      "In a checkout, `./sluice audit verify` without a file, or with --database-url,",
      "verifies the database itself and compares the trail with the certificates in it."
    },
    mixinStandardHelpOptions = true,
    subcommands = {AuditExport.class, AuditVerify.class},
    footer = {"", "Example:", "  sluice audit export --out trail.ndjson"})
public final class AuditCommand {}
