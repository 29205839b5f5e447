package org.sluiceca.api.cli.audit;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.audit.checkpoint.CheckpointFiles;
import org.sluiceca.api.audit.store.AuditReading;
import org.sluiceca.api.certificate.store.IssuedCertificates;
import org.sluiceca.api.cli.ceremony.option.DatabaseOptions;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.Pem;
import org.sluiceca.core.der.PublicKeyReader;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Verifies the trail: one line a finding, and exit code 1 if there is any. */
@Command(
    name = "verify",
    description =
        "Finds rows that were changed, removed or reordered, and by exported checkpoints a cut"
            + " tail, a rollback and a rewritten trail.")
final class VerifyStep implements Callable<Integer> {

  /** More than these do not help; the first ones show where it began. */
  private static final long PRINTED_MAX = 1_000;

  @Mixin private final DatabaseOptions database = new DatabaseOptions();

  @Option(
      names = "--checkpoints",
      description = "A folder of exported checkpoints; may be given several times.")
  private List<Path> folders = new ArrayList<>();

  @Option(
      names = "--key",
      description = "The audit key's public half (PEM), kept outside the database.")
  private @Nullable Path key;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it.
  private CommandSpec spec;

  private long found;

  @Override
  public Integer call() throws IOException, DerException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Optional<SubjectPublicKeyInfo> publicKey = publicKey();
    try (LedgerDatabase opened = database.openUnchanged()) {
      Verification verification =
          new Verification(
              publicKey,
              new BouncyCastleVerifier(),
              new IssuedCertificates(opened)::find,
              finding -> {
                found++;
                if (found <= PRINTED_MAX) {
                  out.println(finding.text());
                }
              });
      long exports = readExports(verification);
      try (AuditReading reading = new AuditReading(opened)) {
        Verification.Summary summary = verification.read(reading);
        out.println(
            String.format(
                Locale.ROOT,
                "%d rows in %d chains, %d checkpoints (the last signed one %d), %d exported, %d certificates compared: %s",
                summary.rows(),
                summary.chains(),
                summary.checkpoints(),
                summary.lastSigned(),
                exports,
                summary.certificates(),
                found == 0 ? "ok" : found + " findings"));
        if (publicKey.isEmpty()) {
          err.println("audit: without --key no signature was verified");
        }
        if (exports == 0) {
          err.println("audit: without exported checkpoints a rollback or a cut tail is not found");
        }
      }
    }
    out.flush();
    return found == 0 ? 0 : AuditCommand.FAILED;
  }

  private Optional<SubjectPublicKeyInfo> publicKey() throws IOException, DerException {
    Path file = key;
    return file == null
        ? Optional.empty()
        : Optional.of(PublicKeyReader.read(Pem.read(Pem.PUBLIC_KEY, Files.readString(file))));
  }

  private long readExports(Verification verification) throws IOException {
    long exports = 0;
    for (Path folder : folders) {
      try (DirectoryStream<Path> files =
          Files.newDirectoryStream(folder, CheckpointFiles.PREFIX + "*" + CheckpointFiles.SUFFIX)) {
        for (Path file : files) {
          verification.exported(file.toString(), CheckpointFiles.read(file));
          exports++;
        }
      }
    }
    return exports;
  }
}
