package org.sluiceca.api.cli.ceremony;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.cli.ceremony.option.DatabaseOptions;
import org.sluiceca.api.cli.ceremony.option.TokenOptions;
import org.sluiceca.api.hsm.HsmIssuerSigner;
import org.sluiceca.api.hsm.lease.store.CalibrationStore;
import org.sluiceca.api.hsm.token.SharingOpener;
import org.sluiceca.api.hsm.token.TokenDefaults;
import org.sluiceca.api.hsm.token.TokensFile;
import org.sluiceca.api.issuer.store.IssuerStore;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.hsm.Calibration;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.EngineGroup;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.SubjectPublicKeyInfo;
import org.sluiceca.hsm.ceremony.KeyCeremony;
import org.sluiceca.hsm.route.TokenSettings;
import org.sluiceca.hsm.settings.HsmSettings;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures tokens for their issuers' keys, with keys of a session, and keeps what came of it. */
@Command(
    name = "calibrate",
    description =
        "Measures how fast the token signs and how many jobs it works on at once. No other program may"
            + " use it meanwhile; nodes read the result when they start.")
final class CalibrateStep implements Callable<Integer> {

  private static final double MILLIS = 1e3;

  /** What an entry does not say is of no meaning here: one session measures. */
  private static final TokenDefaults UNSAID = new TokenDefaults(1, 1, Duration.ofSeconds(5), false);

  @ArgGroup(multiplicity = "1")
  @SuppressWarnings("NullAway.Init") // picocli sets it, for it is required.
  private Which which;

  @Mixin private final DatabaseOptions database = new DatabaseOptions();

  @Option(names = "--if-missing", description = "Does nothing if the token was calibrated before.")
  private boolean isOnlyIfMissing;

  @Option(names = "--force", description = "Measures although nodes use the token.")
  private boolean isForced;

  /** One token, or those of a file. */
  static final class Which {
    @ArgGroup(exclusive = false, multiplicity = "1")
    private @Nullable TokenOptions one;

    @Option(
        names = "--tokens-file",
        description = "Measures each token that the file lists, for nodes that have the same.")
    private @Nullable Path tokensFile;

    private List<Measurable> tokens() {
      TokenOptions alone = one;
      if (alone != null) {
        return List.of(new Measurable(alone.label(), alone::openCeremony));
      }
      TokensFile file = new TokensFile(Objects.requireNonNull(tokensFile), UNSAID, 1);
      return file.parse(file.bytes()).stream().map(Measurable::of).toList();
    }
  }

  /** A token by the name under which nodes look for its calibration. */
  private record Measurable(String name, Supplier<KeyCeremony> opener) {
    static Measurable of(TokenSettings token) {
      HsmSettings hsm = token.hsm();
      return new Measurable(SharingOpener.identity(token), () -> KeyCeremony.open(hsm));
    }
  }

  @Override
  public Integer call() {
    List<Measurable> tokens = which.tokens();
    try (LedgerDatabase opened = database.open()) {
      Map<KeyRef, SignatureClass> keys = keys(new IssuerStore(opened).list());
      CalibrationStore calibrations = new CalibrationStore(opened);
      CeremonyChain chain =
          CeremonyChain.begin(
              opened,
              "calibrate",
              Map.of("tokens", tokens.stream().map(Measurable::name).toList()));
      List<String> failures = new ArrayList<>();
      for (Measurable token : tokens) {
        // One that is away must not keep the others from being measured.
        measureOrSay(token, keys, calibrations).ifPresent(failures::add);
      }
      if (!failures.isEmpty()) {
        throw new IllegalStateException(String.join("; ", failures));
      }
      chain.end();
      return 0;
    }
  }

  /** Why it could not be measured. */
  private Optional<String> measureOrSay(
      Measurable token, Map<KeyRef, SignatureClass> keys, CalibrationStore calibrations) {
    try {
      measure(token, keys, calibrations);
      return Optional.empty();
    } catch (HsmException | IllegalStateException e) {
      return Optional.of(String.format(Locale.ROOT, "token %s: %s", token.name(), e.getMessage()));
    }
  }

  private void measure(
      Measurable token, Map<KeyRef, SignatureClass> keys, CalibrationStore calibrations) {
    try (KeyCeremony ceremony = token.opener().get()) {
      Set<SignatureClass> classes = classes(token, ceremony, keys);
      Optional<Calibration> before = calibrations.find(token.name());
      if (isOnlyIfMissing
          && before.filter(b -> b.baseSeconds().keySet().containsAll(classes)).isPresent()) {
        return;
      }
      int nodes = calibrations.nodesAtWork(token.name());
      if (nodes > 0 && !isForced) {
        throw new IllegalStateException(
            String.format(
                Locale.ROOT,
                "%d node(s) use token %s: stop them, or measure what they leave with --force",
                nodes,
                token.name()));
      }
      Calibration measured = ceremony.calibrate(classes);
      calibrations.put(token.name(), measured);
      System.out.println(line(token.name(), measured));
    }
  }

  private static Map<KeyRef, SignatureClass> keys(List<RegisteredIssuer> issuers) {
    Map<KeyRef, SignatureClass> keys = new HashMap<>();
    for (RegisteredIssuer issuer : issuers) {
      if (issuer.state() == RegisteredIssuer.State.ACTIVE) {
        SubjectPublicKeyInfo key = SubjectPublicKeyInfo.of(issuer.subjectPublicKeyInfo().octets());
        keys.put(
            new KeyRef(CkaId.of(issuer.key().ckaId().octets()), key),
            HsmIssuerSigner.signatureClass(key));
      }
    }
    return keys;
  }

  /** The classes of all issuers whose key is in the token, under whose label it was installed. */
  private static Set<SignatureClass> classes(
      Measurable token, KeyCeremony ceremony, Map<KeyRef, SignatureClass> keys) {
    Set<SignatureClass> classes =
        keys.entrySet().stream()
            .filter(entry -> ceremony.holds(entry.getKey()))
            .map(Map.Entry::getValue)
            .collect(Collectors.toSet());
    if (classes.isEmpty()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "no issuer with its key in token %s is installed: there is nothing to measure for",
              token.name()));
    }
    return classes;
  }

  private static String line(String token, Calibration measured) {
    return String.format(
        Locale.ROOT,
        "token %s: %s",
        token,
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
    return String.format(Locale.ROOT, "%d jobs at once, %s", group.engines(), delays);
  }
}
