package org.sluiceca.core.ocsp;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluiceca.core.der.CertStatus;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.der.TbsCertificateWriter;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.ocsp.StatusRule.NeverIssued;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.revoke.Revocation;
import org.sluiceca.core.revoke.RevocationStatus;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.RevocationReason;

class StatusRuleTest {

  private static final Instant NOW = Fixtures.NOW;
  private static final Instant REVOKED_AT = NOW.minus(Duration.ofHours(3));
  private static final Issuer ISSUING = Fixtures.issuing(SoftwareKey.named("issuer-ec-p256"));
  private static final Issuer ROOT = Fixtures.root(SoftwareKey.named("issuer-ec-p384"));
  private static final StatusRule RULE = new StatusRule(NeverIssued.UNKNOWN);

  private static final Optional<Outcome> ISSUED =
      Optional.of(new Outcome.Issued(Intents.signature(1)));
  private static final Optional<Outcome> MAYBE_SIGNED =
      Optional.of(new Outcome.Abandoned(Outcome.Reason.TOO_OLD, true));

  private final Intents intents = new Intents(1);

  @Test
  void of_issuedAndNotRevoked_good() {
    assertThat(RULE.of(ISSUING, entry(ISSUED), RevocationStatus.NEVER_REVOKED, NOW))
        .isEqualTo(new Standing.Recorded(new CertStatus.Good(), Optional.empty()));
  }

  @ParameterizedTest
  @EnumSource(RevocationReason.class)
  void of_revoked_timeAndReason(RevocationReason reason) {
    Standing standing = RULE.of(ISSUING, entry(ISSUED), revoked(reason), NOW);

    Optional<RevocationReason> shown =
        reason == RevocationReason.UNSPECIFIED ? Optional.empty() : Optional.of(reason);
    assertThat(standing)
        .isEqualTo(
            new Standing.Recorded(new CertStatus.Revoked(REVOKED_AT, shown), Optional.empty()));
  }

  @Test
  void of_releasedFromHold_good() {
    assertThat(RULE.of(ISSUING, entry(ISSUED), new RevocationStatus(2, Optional.empty()), NOW))
        .isEqualTo(new Standing.Recorded(new CertStatus.Good(), Optional.empty()));
  }

  @Test
  void of_pendingOrGivenUp_neverIssued() {
    assertThat(RULE.of(ISSUING, entry(MAYBE_SIGNED), RevocationStatus.NEVER_REVOKED, NOW))
        .isEqualTo(new Standing.NeverIssued(new CertStatus.Unknown(), false));
    assertThat(RULE.of(ISSUING, entry(Optional.empty()), RevocationStatus.NEVER_REVOKED, NOW))
        .isEqualTo(new Standing.NeverIssued(new CertStatus.Unknown(), true));
  }

  /** It stands on the CRL: OCSP must not contradict it. */
  @Test
  void of_givenUpAndRevoked_revoked() {
    Standing standing =
        RULE.of(ISSUING, entry(MAYBE_SIGNED), revoked(RevocationReason.SUPERSEDED), NOW);

    assertThat(standing).isInstanceOf(Standing.Recorded.class);
    assertThat(((Standing.Recorded) standing).status()).isInstanceOf(CertStatus.Revoked.class);
  }

  @Test
  void of_anotherIssuersSerialNumber_neverIssuedEvenIfRevoked() {
    assertThat(RULE.of(ROOT, entry(ISSUED), RevocationStatus.NEVER_REVOKED, NOW))
        .isEqualTo(new Standing.NeverIssued(new CertStatus.Unknown(), false));
    assertThat(RULE.of(ROOT, entry(ISSUED), revoked(RevocationReason.KEY_COMPROMISE), NOW))
        .isEqualTo(new Standing.NeverIssued(new CertStatus.Unknown(), false));
  }

  @Test
  void of_certificateWithoutRevocationInformation_unanswered() throws DerException {
    assertThat(RULE.of(ISSUING, noRevAvail(), RevocationStatus.NEVER_REVOKED, NOW))
        .isEqualTo(new Standing.Unanswered());
  }

  @Test
  void of_atItsEndAndAfter_cutoffOnlyAfter() throws DerException {
    LedgerEntry entry = entry(ISSUED);
    Instant notAfter = CertificateReader.validity(entry.intent().tbsCertificate()).notAfter();

    assertThat(RULE.of(ISSUING, entry, RevocationStatus.NEVER_REVOKED, notAfter))
        .isEqualTo(new Standing.Recorded(new CertStatus.Good(), Optional.empty()));
    assertThat(RULE.of(ISSUING, entry, RevocationStatus.NEVER_REVOKED, notAfter.plusNanos(1)))
        .isEqualTo(
            new Standing.Recorded(
                new CertStatus.Good(), Optional.of(ISSUING.validity().notBefore())));
  }

  @Test
  void neverIssued_byConfiguration() {
    assertThat(new StatusRule(NeverIssued.UNKNOWN).neverIssued())
        .isEqualTo(new Standing.NeverIssued(new CertStatus.Unknown(), false));
    assertThat(new StatusRule(NeverIssued.UNAUTHORIZED).neverIssued())
        .isEqualTo(new Standing.Unanswered());
    // RFC 6960 2.2: certificateHold, January 1, 1970.
    assertThat(new StatusRule(NeverIssued.REVOKED).neverIssued())
        .isEqualTo(
            new Standing.NeverIssued(
                new CertStatus.Revoked(
                    Instant.parse("1970-01-01T00:00:00Z"),
                    Optional.of(RevocationReason.CERTIFICATE_HOLD)),
                false));
    assertThat(new StatusRule(NeverIssued.REVOKED).isExtendedRevoke()).isTrue();
    assertThat(new StatusRule(NeverIssued.UNKNOWN).isExtendedRevoke()).isFalse();
  }

  private LedgerEntry entry(Optional<Outcome> outcome) {
    return new LedgerEntry(intents.next(), NOW, outcome);
  }

  private LedgerEntry noRevAvail() throws DerException {
    Intent intent = intents.next();
    TbsCertificate fields = CertificateReader.read(intent.tbsCertificate());
    TbsCertificate silent =
        new TbsCertificate(
            fields.serialNumber(),
            fields.signatureAlgorithm(),
            fields.issuer(),
            fields.validity(),
            fields.subject(),
            fields.subjectPublicKeyInfo(),
            List.of(Extensions.noRevocationAvailable()));
    return new LedgerEntry(
        new Intent(
            intent.serialNumber(),
            TbsCertificateWriter.write(silent),
            intent.signatureAlgorithm(),
            intent.origin(),
            intent.idempotencyKey(),
            intent.payloadHash()),
        NOW,
        ISSUED);
  }

  private static RevocationStatus revoked(RevocationReason reason) {
    return new RevocationStatus(
        1, Optional.of(new Revocation(reason, REVOKED_AT, Optional.empty())));
  }
}
