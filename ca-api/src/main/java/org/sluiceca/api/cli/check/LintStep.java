package org.sluiceca.api.cli.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.api.profile.ProfileFiles;
import org.sluiceca.core.profile.CertificateProfile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reads profile files as a node does at start, and says which version and content each has. */
@Command(name = "lint", description = "Checks profile files as a node does when it starts.")
final class LintStep implements Callable<Integer> {

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it.
  private CommandSpec spec;

  @Parameters(arity = "1..200", paramLabel = "FILE", description = "Profile files (YAML).")
  @SuppressWarnings("NullAway.Init")
  private List<Path> files;

  @Mixin private final KnownIssuers.Options inUse = new KnownIssuers.Options();

  @Override
  public Integer call() throws IOException {
    KnownIssuers known = inUse.issuers();
    int status = 0;
    for (Path file : files) {
      try {
        CertificateProfile profile = ProfileFiles.file(file);
        known.require(file, profile);
        spec.commandLine()
            .getOut()
            .println(
                String.format(
                    Locale.ROOT,
                    "%s: ok, %s, lane %s, file sha256 %s",
                    file,
                    PlanText.identity(profile),
                    PlanText.lane(profile),
                    Digest.sha256(Files.readAllBytes(file))));
      } catch (IllegalArgumentException e) {
        spec.commandLine().getOut().println(e.getMessage());
        status = ProfileCommand.FAILED;
      }
    }
    return status;
  }
}
