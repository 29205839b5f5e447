package org.sluiceca.client.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import org.sluiceca.core.audit.verify.CheckpointVerifier;
import org.sluiceca.core.audit.verify.ExportReading;
import org.sluiceca.core.audit.verify.ExportVerifier;
import org.sluiceca.core.audit.verify.Finding;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.Pem;
import org.sluiceca.core.der.PublicKeyReader;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice audit verify}: judges exported trails, without the service. */
@Command(
    name = "verify",
    description = {
      "Find what was changed, removed, moved or cut off in an exported audit trail.",
      "Prints a line for each fault, with its chain and row, and needs no service.",
      "Several files are judged as one trail, such as those of several months.",
      "",
      "An export cannot show whether the database still has the certificates that the",
      "trail names; nor, without --checkpoints, that a holder of the key rewrote all,",
      "or that the newest signatures were taken out and what followed was rewritten.",
      "What is younger than the last signed checkpoint is held by its hashes alone."
    },
    footer = {
      "",
      "Example:",
      "  sluice audit verify --key audit.pem --checkpoints checkpoints trail.ndjson"
    })
final class AuditVerify implements Callable<Integer> {
  /** More than these do not help; the first ones show where it began. */
  private static final long PRINTED_MAX = 1_000;

  private static final long KEY_OCTETS_MAX = 100_000;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "an export; - is standard input")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description = "the audit key's public half (PEM), kept since the ceremony")
  private @Nullable Path key;

  @Option(
      names = "--checkpoints",
      paramLabel = "DIR",
      description =
          "a node's folder of checkpoints, copied before the export; may be given several times")
  private List<Path> folders = new ArrayList<>();

  @Option(
      names = {"-q", "--quiet"},
      description = "print results and failures, no messages")
  private boolean quiet;

  private final Console console;
  private long found;

  /** Prints on {@code console}. */
  AuditVerify(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (quiet) {
      console.beQuiet();
    }
    if (files.stream().filter(file -> file.toString().equals("-")).count() > 1) {
      throw Failure.usage("standard input (-) is given twice");
    }
    CheckpointVerifier checkpoints =
        new CheckpointVerifier(publicKey(), new BouncyCastleVerifier(), "the export", this::found);
    long exported = CheckpointFolder.read(folders, checkpoints, this::found);
    ExportVerifier.Summary summary = verify(checkpoints);
    if (key != null && exported == 0 && summary.rows() > 0 && summary.lastSigned() == 0) {
      found(
          new Finding.ExportFault(
              "the export",
              0,
              "no checkpoint in it is signed by the audit key, so nothing holds its rows"));
    }
    console.line(
        String.format(
            Locale.ROOT,
            "%d rows in %d chains, %d checkpoints (the last signed one %d), %d exported: %s",
            summary.rows(),
            summary.chains(),
            summary.checkpoints(),
            summary.lastSigned(),
            exported,
            found == 0 ? "ok" : found + " findings"));
    if (checkpoints.hasYoungerExport()) {
      console.say(
          "a file of --checkpoints is younger than the export:"
              + " the export lacks its end, or the files were copied after it");
    }
    warn(summary, exported);
    return found == 0 ? 0 : Failure.FAILED;
  }

  private ExportVerifier.Summary verify(CheckpointVerifier checkpoints) {
    List<TrailFile> open = new ArrayList<>();
    try {
      files.forEach(file -> open.add(TrailFile.open(file)));
      return new ExportVerifier(checkpoints, this::found)
          .verify(
              open.stream()
                  .map(file -> new ExportReading(file.name(), file, this::found))
                  .toList());
    } finally {
      open.forEach(TrailFile::close);
    }
  }

  private void warn(ExportVerifier.Summary summary, long exported) {
    if (summary.isFiltered()) {
      console.say("an export was filtered: what it left out is missing here");
    }
    if (key == null) {
      console.note("without --key no signature was verified");
    }
    if (summary.lastSigned() == 0) {
      console.note("no signed checkpoint is in the export: a rewritten trail is not found");
    } else if (exported == 0) {
      console.note(
          "without --checkpoints it is not found if the newest signatures were taken out and what"
              + " followed was rewritten");
    }
  }

  private void found(Finding finding) {
    found++;
    if (found <= PRINTED_MAX) {
      console.line(finding.text());
    }
  }

  private Optional<SubjectPublicKeyInfo> publicKey() {
    Path file = key;
    if (file == null) {
      return Optional.empty();
    }
    try {
      if (Files.size(file) > KEY_OCTETS_MAX) {
        throw Failure.of(file + " is no public key in PEM");
      }
      return Optional.of(PublicKeyReader.read(Pem.read(Pem.PUBLIC_KEY, Files.readString(file))));
    } catch (IOException e) {
      throw Failure.of(
          file + " cannot be read: " + e.getClass().getSimpleName() + " " + e.getMessage());
    } catch (DerException | IllegalArgumentException e) {
      throw Failure.of(file + " is no public key in PEM: " + e.getMessage());
    }
  }
}
