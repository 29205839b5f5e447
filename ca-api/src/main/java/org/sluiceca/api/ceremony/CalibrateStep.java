package org.sluiceca.api.ceremony;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.sluiceca.api.ceremony.option.DatabaseOptions;
import org.sluiceca.api.ceremony.option.TokenOptions;
import org.sluiceca.api.hsm.HsmIssuerSigner;
import org.sluiceca.api.lease.CalibrationStore;
import org.sluiceca.api.ledger.IssuerStore;
import org.sluiceca.api.ledger.LedgerDatabase;
import org.sluiceca.api.ledger.RegisteredIssuer;
import org.sluiceca.hsm.Calibration;
import org.sluiceca.hsm.EngineGroup;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.SubjectPublicKeyInfo;
import org.sluiceca.hsm.ceremony.KeyCeremony;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures a token for its issuers' keys, with keys of a session, and keeps what came of it. */
@Command(
    name = "calibrate",
    description =
        "Measures how fast the token signs and how many jobs it works on at once. Nobody else may"
            + " use it meanwhile; nodes read the result when they start.")
final class CalibrateStep implements Callable<Integer> {

  private static final double MILLIS = 1e3;

  @Mixin private final TokenOptions token = new TokenOptions();
  @Mixin private final DatabaseOptions database = new DatabaseOptions();

  @Option(names = "--if-missing", description = "Does nothing if the token was calibrated before.")
  private boolean isOnlyIfMissing;

  @Option(names = "--force", description = "Measures although nodes use the token.")
  private boolean isForced;

  @Override
  public Integer call() {
    try (LedgerDatabase opened = database.open()) {
      List<SignatureClass> classes = classes(new IssuerStore(opened).list());
      CalibrationStore calibrations = new CalibrationStore(opened);
      Optional<Calibration> before = calibrations.find(token.label());
      if (isOnlyIfMissing
          && before.filter(b -> b.baseSeconds().keySet().containsAll(classes)).isPresent()) {
        return 0;
      }
      int nodes = calibrations.nodesAtWork(token.label());
      if (nodes > 0 && !isForced) {
        throw new IllegalStateException(
            "%d node(s) use token %s: stop them, or measure what they leave with --force"
                .formatted(nodes, token.label()));
      }
      Calibration measured;
      try (KeyCeremony ceremony = token.openCeremony()) {
        measured = ceremony.calibrate(classes);
      }
      calibrations.put(token.label(), measured);
      System.out.println(line(measured));
      return 0;
    }
  }

  /** The classes of all issuers whose key is in the token. */
  private List<SignatureClass> classes(List<RegisteredIssuer> issuers) {
    List<SignatureClass> classes =
        issuers.stream()
            .filter(i -> i.state() == RegisteredIssuer.State.ACTIVE)
            .filter(i -> i.key().tokenLabel().equals(token.label()))
            .map(i -> SubjectPublicKeyInfo.of(i.subjectPublicKeyInfo().octets()))
            .map(HsmIssuerSigner::signatureClass)
            .distinct()
            .toList();
    if (classes.isEmpty()) {
      throw new IllegalStateException(
          "no issuer with its key in token %s is installed: there is nothing to measure for"
              .formatted(token.label()));
    }
    return classes;
  }

  private String line(Calibration measured) {
    return "token %s: %s"
        .formatted(
            token.label(),
            measured.groups().stream()
                .map(CalibrateStep::line)
                .collect(Collectors.joining("; apart from them ")));
  }

  private static String line(EngineGroup group) {
    String delays =
        group.baseSeconds().entrySet().stream()
            .map(e -> String.format(Locale.ROOT, "%s %.3f ms", e.getKey(), MILLIS * e.getValue()))
            .sorted()
            .collect(Collectors.joining(", "));
    return "%d jobs at once, %s".formatted(group.engines(), delays);
  }
}
