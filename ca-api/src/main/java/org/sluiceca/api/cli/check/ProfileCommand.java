package org.sluiceca.api.cli.check;

import picocli.CommandLine.Command;

/**
 * {@code ./sluice ceremony profile check|lint}: tries profile files where no service runs, without
 * issuing anything.
 */
@Command(
    name = "profile",
    description =
        "Tries profile files without a service: what would be issued for a CSR, or why not.",
    subcommands = {CheckStep.class, LintStep.class})
public final class ProfileCommand {

  /** Exit code 1: failed with one line; 2, bad usage, is picocli's. */
  static final int FAILED = 1;

  private ProfileCommand() {}
}
