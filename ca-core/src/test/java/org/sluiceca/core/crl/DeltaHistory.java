package org.sluiceca.core.crl;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.sluiceca.core.crl.CrlSnapshot.Scheduled;
import org.sluiceca.core.crl.PlannedCrl.Kind;
import org.sluiceca.core.der.RevokedCertificates;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.revoke.Revocation;
import org.sluiceca.core.revoke.RevocationEvent;
import org.sluiceca.core.revoke.RevocationEvent.Change;
import org.sluiceca.core.revoke.RevocationStatus;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.Revocable;
import org.sluiceca.core.x509.ExpiryWeek;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.TbsCertListDer;

/**
 * A random history of one scope: certificates are revoked, put on hold, released and expire, CRLs
 * come in their turn and out of it, some are recorded and never signed. At any moment what changed
 * makes of every complete CRL from the base on what a complete CRL of that moment says, and a
 * certificate that is not expired is on it if and only if it is revoked.
 */
final class DeltaHistory {

  private static final CrlScope SCOPE = new CrlScope(Fixtures.ISSUING, 0);
  private static final int STEPS = 60;
  private static final int CERTIFICATES_MAX = 12;
  private static final Duration SPAN = Duration.ofDays(16);
  private static final List<RevocationReason> REASONS =
      List.of(
          RevocationReason.CERTIFICATE_HOLD,
          RevocationReason.CERTIFICATE_HOLD,
          RevocationReason.SUPERSEDED,
          RevocationReason.KEY_COMPROMISE,
          RevocationReason.UNSPECIFIED);

  private record Certificate(LedgerEntry entry, Instant notAfter) {}

  /** As a relying party has it. */
  private record Complete(long number, Map<BigInteger, String> entries) {}

  private final Random random;
  private final CrlStoreContract.Stores stores;
  private final Consumer<LedgerEntry> prepare;
  private final Revocable certificates;
  private final List<Certificate> known = new ArrayList<>();
  private final List<Complete> signed = new ArrayList<>();

  /** Of the CRLs; the store's own clock stands or runs as it likes. */
  private Instant now = Fixtures.NOW;

  private long lastNumber;

  DeltaHistory(Random random, CrlStoreContract.Stores stores, Consumer<LedgerEntry> prepare) {
    this.random = random;
    this.stores = stores;
    this.prepare = prepare;
    this.certificates = new Revocable(random.nextLong());
  }

  void play() {
    stores.crls().open(SCOPE);
    for (int step = 0; step < STEPS; step++) {
      now = now.plus(Duration.ofHours(random.nextInt(12)));
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> revoke();
        case 3, 4 -> release();
        case 5 -> complete(true);
        case 6 -> complete(random.nextBoolean());
        default -> stale();
      }
      check();
    }
  }

  private void revoke() {
    Certificate certificate = certificate();
    RevocationStatus status = stores.revocations().status(serial(certificate));
    Optional<Revocation> standing = status.revocation();
    boolean isFinal =
        standing.isPresent() && standing.get().reason() != RevocationReason.CERTIFICATE_HOLD;
    if (!isFinal) {
      append(
          certificate,
          status,
          new Change.Revoked(
              REASONS.get(random.nextInt(REASONS.size())),
              random.nextInt(4) == 0 ? Optional.of(Fixtures.NOW) : Optional.empty(),
              standing.map(Revocation::revokedAt)));
    }
  }

  private Certificate certificate() {
    if (known.size() == CERTIFICATES_MAX || (!known.isEmpty() && random.nextInt(3) == 0)) {
      return known.get(random.nextInt(known.size()));
    }
    Instant notAfter = Fixtures.NOW.plusSeconds(random.nextLong(SPAN.toSeconds()));
    LedgerEntry entry = certificates.silent(notAfter);
    prepare.accept(entry);
    // What was given up counts as of the end of its week.
    long weeks = ExpiryWeek.of(notAfter).number() + 1L;
    Certificate made =
        new Certificate(
            entry,
            random.nextInt(6) == 0
                ? Instant.EPOCH.plus(Duration.ofDays(7).multipliedBy(weeks))
                : notAfter);
    known.add(made);
    return made;
  }

  private void release() {
    for (Certificate certificate : known) {
      RevocationStatus status = stores.revocations().status(serial(certificate));
      if (status
          .revocation()
          .map(r -> r.reason() == RevocationReason.CERTIFICATE_HOLD)
          .orElse(false)) {
        append(certificate, status, new Change.Released());
        return;
      }
    }
  }

  private void append(Certificate certificate, RevocationStatus status, Change change) {
    assertThat(
            stores
                .revocations()
                .append(
                    new RevocationEvent(
                        serial(certificate),
                        status.events() + 1,
                        SCOPE,
                        Intents.ALICE,
                        certificate.notAfter(),
                        change)))
        .isPresent();
  }

  private void complete(boolean isScheduled) {
    RevokedCertificates entries = new RevokedCertificates();
    PlannedCrl crl = plan(stores.crls().read(SCOPE, entries), isScheduled);
    assertThat(stores.crls().record(crl, "node-0")).isTrue();
    lastNumber = crl.number();
    if (random.nextInt(4) > 0) {
      stores.crls().recordSignature(crl, Intents.signature(1));
      signed.add(new Complete(crl.number(), CrlEntries.of(entries)));
    }
  }

  /** A node that read before another one recorded: nothing of its own may be signed. */
  private void stale() {
    CrlSnapshot old = stores.crls().read(SCOPE, new RevokedCertificates());
    complete(random.nextBoolean());

    assertThat(stores.crls().record(plan(old, true), "node-1")).as("a stale number").isFalse();
  }

  private PlannedCrl plan(CrlSnapshot snapshot, boolean isScheduled) {
    return new PlannedCrl(
        SCOPE,
        snapshot.lastNumber() + 1 + random.nextInt(3),
        snapshot.lastNumber(),
        SignatureAlgorithm.ECDSA_SHA256,
        TbsCertListDer.of(new byte[] {1}),
        new PlannedCrl.Terms(snapshot.revision(), isScheduled, now, now.plusSeconds(600), 0),
        new Kind.Complete(
            snapshot.lastScheduled().map(Scheduled::issuedAt).orElse(Instant.EPOCH),
            snapshot.lastScheduled().map(Scheduled::revision).orElse(0L),
            Optional.empty()));
  }

  private void check() {
    RevokedCertificates all = new RevokedCertificates();
    RevokedCertificates changed = new RevokedCertificates();
    CrlSnapshot snapshot = stores.crls().readChanges(SCOPE, changed);
    assertThat(stores.crls().read(SCOPE, all).lastNumber()).isEqualTo(lastNumber);
    Map<BigInteger, String> full = CrlEntries.of(all);
    Map<BigInteger, String> delta = CrlEntries.of(changed);
    checkStatuses(full);
    if (snapshot.lastScheduled().isEmpty()) {
      assertThat(delta).isEmpty();
      return;
    }
    long base = snapshot.lastScheduled().get().number();
    assertThat(signed.stream().map(Complete::number)).as("the base was signed").contains(base);
    for (Complete complete : signed) {
      if (complete.number() >= base) {
        assertThat(CrlEntries.combine(complete.entries(), delta))
            .as("CRL %d and the changes since %d", complete.number(), base)
            .isEqualTo(full);
      }
    }
  }

  private void checkStatuses(Map<BigInteger, String> full) {
    for (Certificate certificate : known) {
      if (certificate.notAfter().isAfter(now)) {
        BigInteger serial = new BigInteger(1, serial(certificate).octets());
        assertThat(full.containsKey(serial))
            .isEqualTo(stores.revocations().status(serial(certificate)).revocation().isPresent());
      }
    }
  }

  private static org.sluiceca.core.x509.SerialNumber serial(Certificate certificate) {
    return certificate.entry().intent().serialNumber();
  }
}
