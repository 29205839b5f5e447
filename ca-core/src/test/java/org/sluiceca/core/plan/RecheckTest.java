package org.sluiceca.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.naming.ReservedNames;
import org.sluiceca.core.plan.Recheck.RecordedPlan;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.testkit.AcceptLine;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.ExpiryWeek;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.TbsCertificateDer;

/** What stands in the ledger is believed only as far as the lints believe it. */
class RecheckTest {

  private static final SoftwareKey KEY = SoftwareKey.named("issuer-ec-p256");

  private static final RequesterId REQUESTER = new RequesterId("alice");

  private static final OptionalInt VERSION_1 = OptionalInt.of(1);

  private IssuancePlan plan;
  private RecordedPlan recorded;

  @BeforeEach
  void plan() throws RejectedException {
    plan =
        new AcceptLine(Fixtures.tlsServer(), Fixtures.issuing(KEY))
            .plan(CsrFixture.host("a.test", "a.test").signedBy(SoftwareKey.named("ec-p256")));
    recorded = with(plan.tbsCertificate(), plan.serialNumber(), plan.signatureAlgorithm());
  }

  @Test
  void fault_whatTheLinePlanned_isEmpty() {
    assertThat(fault(recorded, Fixtures.NOW.plus(Duration.ofHours(24)), KEY)).isEmpty();
  }

  @Test
  void fault_issuerWithAnotherKeyMeanwhile_found() {
    assertThat(fault(recorded, Fixtures.NOW, SoftwareKey.named("issuer-ed25519"))).isPresent();
    assertThat(fault(recorded, Fixtures.NOW, SoftwareKey.named("ec-p256"))).isPresent();
  }

  /** The rule is newer than the intent, or the node whose name it is. */
  @Test
  void fault_nameReservedMeanwhile_found() {
    ReservedNames reserved = ReservedNames.of(Set.of("a.test"), Set.of());
    Recheck recheck =
        new Recheck(
            new ProfileCatalog(Fixtures.profiles()),
            new IssuerCatalog(List.of(Fixtures.issuing(KEY))),
            () -> reserved);

    assertThat(recheck.fault(recorded, Fixtures.NOW).orElseThrow()).contains("a.test");
    assertThat(recheck.fault(by(RequesterId.NODE), Fixtures.NOW)).isEmpty();
  }

  /** With an empty subject, only the subjectAltName has the reserved name. */
  @Test
  void fault_nameReservedMeanwhileInTheSubjectAltNameAlone_found() throws RejectedException {
    plan =
        new AcceptLine(Fixtures.tlsServer(), Fixtures.issuing(KEY))
            .plan(
                CsrFixture.empty()
                    .names(List.of(new GeneralName.Dns("b.test")))
                    .signedBy(SoftwareKey.named("ec-p256")));
    Recheck recheck =
        new Recheck(
            new ProfileCatalog(Fixtures.profiles()),
            new IssuerCatalog(List.of(Fixtures.issuing(KEY))),
            () -> ReservedNames.of(Set.of("b.test"), Set.of()));

    assertThat(recheck.fault(by(REQUESTER), Fixtures.NOW).orElseThrow()).contains("b.test");
    assertThat(recheck.fault(recorded, Fixtures.NOW)).isEmpty();
  }

  /** A certificate of a CA has no subjectAltName; what is reserved is still compared. */
  @Test
  void fault_noSubjectAltName_isEmpty() throws RejectedException {
    Issuer root = Fixtures.root(SoftwareKey.named("issuer-ec-p384"));
    IssuancePlan ca =
        new AcceptLine(Fixtures.issuingCa(), root)
            .plan(CsrFixture.host("Issuing CA").signedBy(SoftwareKey.named("ec-p256")));
    RecordedPlan ofCa =
        new RecordedPlan(
            REQUESTER,
            ca.tbsCertificate(),
            ca.serialNumber(),
            ca.signatureAlgorithm(),
            Fixtures.issuingCa().name(),
            VERSION_1,
            Fixtures.ROOT);

    assertThat(
            new Recheck(
                    new ProfileCatalog(Fixtures.profiles()),
                    new IssuerCatalog(List.of(root)),
                    () -> ReservedNames.of(Set.of("b.test"), Set.of()))
                .fault(ofCa, Fixtures.NOW))
        .isEmpty();
  }

  private RecordedPlan by(RequesterId requester) {
    return new RecordedPlan(
        requester,
        plan.tbsCertificate(),
        plan.serialNumber(),
        plan.signatureAlgorithm(),
        Fixtures.tlsServer().name(),
        VERSION_1,
        Fixtures.ISSUING);
  }

  @Test
  void fault_expiredMeanwhile_found() {
    Instant late = Fixtures.tlsServer().content().validity().notAfterFor(Fixtures.NOW);

    assertThat(fault(recorded, late, KEY)).isPresent();
  }

  @Test
  void fault_columnsThatContradictTheBytes_found() {
    SerialNumber other =
        SerialNumber.compose(new ExpiryWeek(3000), new byte[SerialNumber.RANDOM_OCTETS]);

    assertThat(fault(with(plan.tbsCertificate(), other, plan.signatureAlgorithm()), KEY))
        .isPresent();
    assertThat(
            fault(
                with(plan.tbsCertificate(), plan.serialNumber(), SignatureAlgorithm.ED25519), KEY))
        .isPresent();
  }

  @Test
  void fault_anotherProfileOrIssuerThanPlanned_found() {
    assertThat(fault(under(Fixtures.shortLivedClient().name(), Fixtures.ISSUING), KEY)).isPresent();
    assertThat(fault(under(Fixtures.issuingCa().name(), Fixtures.ISSUING), KEY)).isPresent();
    assertThat(fault(under(Fixtures.tlsServer().name(), Fixtures.ROOT), KEY)).isPresent();
    assertThat(fault(under(new ProfileName("gone"), Fixtures.ISSUING), KEY)).isPresent();
  }

  @Test
  void fault_bytesThatAreNoCertificate_found() {
    TbsCertificateDer nonsense = TbsCertificateDer.of(new byte[] {0x30, 0});

    assertThat(fault(with(nonsense, plan.serialNumber(), plan.signatureAlgorithm()), KEY))
        .isPresent();
  }

  /** Version 2 is stricter: the promise made under version 1 stands while version 1 is here. */
  @Test
  void fault_plannedUnderAnOlderVersion_judgedByThatVersion() {
    CertificateProfile old = Fixtures.tlsServer();
    CertificateProfile stricter = Fixtures.version(old, 2, Duration.ofDays(30));

    Recheck both = recheck(List.of(old, stricter));
    assertThat(both.fault(recorded, Fixtures.NOW)).isEmpty();
    assertThat(both.knowsVersion(recorded)).isTrue();
    Recheck newOnly = recheck(List.of(stricter));
    assertThat(newOnly.fault(recorded, Fixtures.NOW)).isPresent();
    assertThat(newOnly.knowsVersion(recorded)).isFalse();
  }

  /** What version 2 would plan too may be signed, wherever version 1 has gone. */
  @Test
  void fault_plannedUnderAVersionThatIsGone_judgedByTodays() {
    CertificateProfile wider = Fixtures.version(Fixtures.tlsServer(), 2, Duration.ofDays(91));

    assertThat(recheck(List.of(wider)).fault(recorded, Fixtures.NOW)).isEmpty();
  }

  /** A row with an older version gets that version's rules, not none. */
  @Test
  void fault_versionThatWouldNotPlanIt_found() {
    RecordedPlan claimed =
        new RecordedPlan(
            REQUESTER,
            plan.tbsCertificate(),
            plan.serialNumber(),
            plan.signatureAlgorithm(),
            Fixtures.tlsServer().name(),
            OptionalInt.of(2),
            Fixtures.ISSUING);
    CertificateProfile stricter = Fixtures.version(Fixtures.tlsServer(), 2, Duration.ofDays(30));

    assertThat(recheck(List.of(Fixtures.tlsServer(), stricter)).fault(claimed, Fixtures.NOW))
        .isPresent();
  }

  @Test
  void knowsVersion_noneRecorded_isTrue() {
    RecordedPlan unversioned =
        new RecordedPlan(
            REQUESTER,
            plan.tbsCertificate(),
            plan.serialNumber(),
            plan.signatureAlgorithm(),
            Fixtures.tlsServer().name(),
            OptionalInt.empty(),
            Fixtures.ISSUING);

    assertThat(recheck(List.of(Fixtures.tlsServer())).knowsVersion(unversioned)).isTrue();
  }

  private static Recheck recheck(List<CertificateProfile> profiles) {
    return new Recheck(
        new ProfileCatalog(profiles), new IssuerCatalog(List.of(Fixtures.issuing(KEY))));
  }

  private RecordedPlan with(
      TbsCertificateDer tbs, SerialNumber serialNumber, SignatureAlgorithm algorithm) {
    return new RecordedPlan(
        REQUESTER,
        tbs,
        serialNumber,
        algorithm,
        Fixtures.tlsServer().name(),
        VERSION_1,
        Fixtures.ISSUING);
  }

  private RecordedPlan under(ProfileName profile, IssuerName issuer) {
    return new RecordedPlan(
        REQUESTER,
        plan.tbsCertificate(),
        plan.serialNumber(),
        plan.signatureAlgorithm(),
        profile,
        VERSION_1,
        issuer);
  }

  private static Optional<String> fault(RecordedPlan plan, SoftwareKey issuerKey) {
    return fault(plan, Fixtures.NOW, issuerKey);
  }

  private static Optional<String> fault(RecordedPlan plan, Instant now, SoftwareKey issuerKey) {
    return new Recheck(
            new ProfileCatalog(Fixtures.profiles()),
            new IssuerCatalog(List.of(Fixtures.issuing(issuerKey))))
        .fault(plan, now);
  }
}
