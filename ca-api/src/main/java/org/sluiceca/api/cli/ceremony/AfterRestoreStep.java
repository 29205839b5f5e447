package org.sluiceca.api.cli.ceremony;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.api.cli.ceremony.files.BroughtCertificates;
import org.sluiceca.api.cli.ceremony.files.PublishedCrl;
import org.sluiceca.api.cli.ceremony.option.DatabaseOptions;
import org.sluiceca.api.cli.ceremony.store.LostRevocations;
import org.sluiceca.api.cli.ceremony.store.RestoredCertificates;
import org.sluiceca.api.cli.ceremony.store.RestoredCertificates.Finding;
import org.sluiceca.api.cli.ceremony.store.RestoredCertificates.Verified;
import org.sluiceca.api.cli.ceremony.store.UndecidedIntents;
import org.sluiceca.api.issuer.store.IssuerStore;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.TbsCertificateWriter;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.revoke.RevocationEvent.Change;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * What must be done to a restored database before a node signs by it: it is older than what was
 * issued and revoked (docs/adr/0044-database-drills.md).
 */
@Command(
    name = "after-restore",
    description =
        "Takes certificates and CRLs that a restored database does not know into it, and gives up"
            + " what is undecided, for it may have been issued.")
final class AfterRestoreStep implements Callable<Integer> {

  /** Serial numbers in one row of the audit trail. */
  private static final int ROW = 200;

  @Mixin private final DatabaseOptions database = new DatabaseOptions();

  @Option(
      names = "--certificates",
      arity = "1..*",
      description = "Files of certificates (PEM, any number in each) that may be unknown to it.")
  private List<Path> certificates = new ArrayList<>();

  @Option(
      names = "--crl",
      arity = "1..*",
      description = "CRLs (DER) that were published last, one of each issuer and shard.")
  private List<Path> crls = new ArrayList<>();

  @Option(
      names = "--serials",
      description =
          "A file of serial numbers that were issued, one a line in hexadecimal: those that are"
              + " unknown to it are revoked.")
  private @Nullable Path serials;

  @Option(
      names = "--issuer",
      defaultValue = "issuing",
      description = "Whose the serial numbers of --serials are.")
  @SuppressWarnings("NullAway.Init") // picocli sets it: it has a default.
  private String issuer;

  @Option(
      names = "--shard",
      defaultValue = "0",
      description = "The CRL that their certificates name; 0 is the one without a number.")
  private int shard;

  @Option(names = "--keep-undecided", description = "Gives nothing up; nodes may run.")
  private boolean keepUndecided;

  @Override
  public Integer call() throws IOException, DerException {
    NodeId owner = new NodeId("ceremony." + Long.toHexString(new SecureRandom().nextLong()));
    try (LedgerDatabase opened = database.open();
        RestoredCertificates restored = new RestoredCertificates(opened, owner);
        UndecidedIntents undecided = new UndecidedIntents(opened, owner)) {
      // Its own are younger than this program.
      Duration age = Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime());
      if (!keepUndecided && undecided.connectionsOlderThan(age) > 0) {
        throw new IllegalStateException(
            "another process works on this database: stop all nodes first, or give --keep-undecided");
      }
      List<RegisteredIssuer> issuers = new IssuerStore(opened).list();
      // All files are read before anything is changed: a wrong one is to be found first.
      BroughtCertificates brought = BroughtCertificates.read(certificates, issuers);
      List<PublishedCrl> published = readCrls(issuers);
      List<SerialNumber> serialNumbers = readSerials(issuers);
      CeremonyChain chain = CeremonyChain.begin(opened, "after-restore", Map.of());
      int others = takeIn(restored, brought, chain);
      LostRevocations revocations = new LostRevocations(opened);
      published.forEach(crl -> revoke(revocations, crl, chain));
      revokeUnknown(revocations, serialNumbers, chain);
      if (!keepUndecided) {
        giveUp(undecided, chain);
      }
      chain.end();
      return others == 0 ? 0 : 1;
    }
  }

  private List<PublishedCrl> readCrls(List<RegisteredIssuer> issuers) throws IOException {
    List<PublishedCrl> all = new ArrayList<>();
    for (Path file : crls) {
      all.add(PublishedCrl.of(new ByteArrayInputStream(Files.readAllBytes(file)), issuers));
    }
    return all;
  }

  private List<SerialNumber> readSerials(List<RegisteredIssuer> issuers) throws IOException {
    if (serials == null) {
      return List.of();
    }
    if (issuers.stream().noneMatch(known -> known.name().value().equals(issuer))) {
      throw new IllegalArgumentException("no issuer " + issuer);
    }
    return Files.readAllLines(serials).stream()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .map(SerialNumber::parse)
        .toList();
  }

  /** Returns how many serial numbers have two certificates. */
  private static int takeIn(
      RestoredCertificates restored, BroughtCertificates brought, CeremonyChain chain) {
    Map<Finding, Integer> counts = new EnumMap<>(Finding.class);
    List<Map<String, String>> issued = new ArrayList<>();
    for (Verified certificate : brought.verified()) {
      Finding finding = restored.takeIn(certificate);
      int _ = counts.merge(finding, 1, Integer::sum);
      String serial = certificate.serialNumber().hex();
      if (finding == Finding.OTHER) {
        System.out.println("two certificates of one serial number: " + serial);
      }
      if (finding == Finding.TAKEN_IN || finding == Finding.DECIDED) {
        issued.add(Map.of("serial", serial, "sha256", sha256(certificate)));
      }
      // In rows as nodes write them, so that the verifier compares these as well.
      if (issued.size() == ROW) {
        chain.issued(issued);
        issued.clear();
      }
    }
    if (!issued.isEmpty()) {
      chain.issued(issued);
    }
    System.out.printf(
        Locale.ROOT,
        "certificates: %d known, %d taken in, %d undecided before and decided, %d given up before, %d with the serial number of another certificate, %d that no issuer here has signed%n",
        counts.getOrDefault(Finding.KNOWN, 0),
        counts.getOrDefault(Finding.TAKEN_IN, 0),
        counts.getOrDefault(Finding.DECIDED, 0),
        counts.getOrDefault(Finding.GIVEN_UP, 0),
        counts.getOrDefault(Finding.OTHER, 0),
        brought.foreign());
    return counts.getOrDefault(Finding.OTHER, 0);
  }

  private static String sha256(Verified certificate) {
    return Digest.sha256(
            TbsCertificateWriter.assemble(
                    certificate.tbs(), certificate.algorithm(), certificate.signature())
                .encoded())
        .toString();
  }

  private static void revoke(LostRevocations revocations, PublishedCrl crl, CeremonyChain chain) {
    List<String> revoked = new ArrayList<>();
    for (PublishedCrl.Entry entry : crl.entries()) {
      if (revocations.restore(crl.scope(), entry.serialNumber(), entry.revoked())) {
        revoked.add(entry.serialNumber().hex());
      }
    }
    record(chain, "revoked", revoked);
    System.out.printf(
        Locale.ROOT,
        "CRL of %s: %d entries, %d revoked again%n",
        crl.scope(),
        crl.entries().size(),
        revoked.size());
  }

  /** What the ledger knows is not lost: a log has those as well. */
  private void revokeUnknown(
      LostRevocations revocations, List<SerialNumber> serialNumbers, CeremonyChain chain) {
    if (serialNumbers.isEmpty()) {
      return;
    }
    CrlScope scope = new CrlScope(new IssuerName(issuer), shard);
    Change.Revoked now =
        new Change.Revoked(RevocationReason.UNSPECIFIED, Optional.empty(), Optional.empty());
    List<SerialNumber> unknown =
        serialNumbers.stream().filter(serialNumber -> !revocations.isKnown(serialNumber)).toList();
    List<String> revoked =
        unknown.stream()
            .filter(serialNumber -> revocations.restore(scope, serialNumber, now))
            .map(SerialNumber::hex)
            .toList();
    record(chain, "revoked", revoked);
    System.out.printf(
        Locale.ROOT,
        "serial numbers: %d known, %d unknown, %d of them revoked%n",
        serialNumbers.size() - unknown.size(),
        unknown.size(),
        revoked.size());
  }

  /** In rows that are not too long. */
  private static void record(CeremonyChain chain, String what, List<String> serials) {
    for (int from = 0; from < serials.size(); from += ROW) {
      chain.result(
          Map.of(what, List.copyOf(serials.subList(from, Math.min(serials.size(), from + ROW)))));
    }
  }

  private static void giveUp(UndecidedIntents undecided, CeremonyChain chain) {
    int[] count = {0};
    undecided.giveUp(
        serialNumbers -> {
          count[0] += serialNumbers.size();
          record(chain, "givenUp", serialNumbers.stream().map(SerialNumber::hex).toList());
        });
    System.out.printf(Locale.ROOT, "undecided: %d given up, and on the next CRL%n", count[0]);
  }
}
