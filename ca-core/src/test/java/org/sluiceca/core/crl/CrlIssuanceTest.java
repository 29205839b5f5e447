package org.sluiceca.core.crl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.cert.CRLException;
import java.security.cert.CRLReason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.time.Duration;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.crl.CrlSchedule.Due;
import org.sluiceca.core.crl.CrlStore.SignedCrl;
import org.sluiceca.core.der.RevokedCertificates;
import org.sluiceca.core.der.TbsCertListWriter;
import org.sluiceca.core.failure.CaUnavailable.SignatureRefused;
import org.sluiceca.core.failure.CaUnavailable.SignerUnavailable;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.revoke.Revoker;
import org.sluiceca.core.testkit.FakeSigner;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.InMemoryRevocations;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.ListEventSink;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.testkit.Revocable;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.RevocationReason;

/** The line of a CRL; what comes out is read by the JDK's parser. */
class CrlIssuanceTest {

  private static final CrlTerms TERMS = new CrlTerms(Duration.ofHours(1), Duration.ofHours(24));
  private static final CrlScope SCOPE = new CrlScope(Fixtures.ISSUING, 0);
  private static final String NODE = "node-0";

  private final ManualTime time = new ManualTime(Fixtures.NOW);
  private final InMemoryRevocations store = new InMemoryRevocations(time);
  private final ListEventSink events = new ListEventSink();
  private final SoftwareKey key = SoftwareKey.named("issuer-ec-p256");
  private final Issuer issuer = Fixtures.issuing(key);
  private final FakeSigner signer =
      new FakeSigner(Fixtures.ISSUING, key, SoftwareKey.named("ec-p256"));
  private final Revoker revoker = new Revoker(store, time, events);
  private final Revocable certificates = new Revocable(9);
  private final CrlIssuance issuance =
      new CrlIssuance(
          store,
          signer,
          new PostSignCheck(
              new IssuerCatalog(List.of(issuer))::publicKey, new BouncyCastleVerifier()),
          events,
          time);

  @Test
  void issue_revokedCertificates_crlThatTheJdkReads() throws Exception {
    LedgerEntry revoked = revoke(certificates.onCrl("issuing.crl"), RevocationReason.SUPERSEDED);
    LedgerEntry held = revoke(certificates.onCrl("issuing.crl"), RevocationReason.CERTIFICATE_HOLD);
    LedgerEntry unspecified =
        revoke(certificates.onCrl("issuing.crl"), RevocationReason.UNSPECIFIED);

    X509CRL crl = issued(SCOPE, Due.SCHEDULED);

    assertThat(crl.getVersion()).isEqualTo(2);
    assertThat(crl.getIssuerX500Principal().getEncoded()).isEqualTo(issuer.subject().encoded());
    // A verifier whose clock is 5 minutes late takes it.
    assertThat(crl.getThisUpdate()).isEqualTo(Date.from(Fixtures.NOW.minusSeconds(300)));
    assertThat(crl.getNextUpdate()).isEqualTo(Date.from(Fixtures.NOW.plus(TERMS.lifetime())));
    assertThat(crl.getCriticalExtensionOIDs()).isNullOrEmpty();
    assertThat(crl.getNonCriticalExtensionOIDs())
        .containsExactlyInAnyOrder("2.5.29.20", "2.5.29.35");
    assertThat(crl.getRevokedCertificates()).hasSize(3);
    assertThat(entry(crl, revoked).getRevocationReason()).isEqualTo(CRLReason.SUPERSEDED);
    assertThat(entry(crl, held).getRevocationReason()).isEqualTo(CRLReason.CERTIFICATE_HOLD);
    assertThat(entry(crl, unspecified).hasExtensions()).isFalse();
    assertThat(events.names()).contains("CrlIssued");
  }

  @Test
  void issue_again_numberRisesEvenWhileTimeStands() throws Exception {
    BigInteger first = number(issued(SCOPE, Due.SCHEDULED));
    BigInteger second = number(issued(SCOPE, Due.UNSCHEDULED));
    time.pass(Duration.ofMinutes(5));
    BigInteger third = number(issued(SCOPE, Due.UNSCHEDULED));

    assertThat(second).isGreaterThan(first);
    assertThat(third).isGreaterThan(second);
    assertThat(third).isEqualTo(BigInteger.valueOf(time.instant().toEpochMilli()));
  }

  @Test
  void issue_storeRestoredFromBackup_numberAboveWhatWasSignedSince() throws Exception {
    time.pass(Duration.ofHours(3));
    BigInteger lost = number(issued(SCOPE, Due.SCHEDULED));
    InMemoryRevocations restored = new InMemoryRevocations(time);
    restored.open(SCOPE);
    time.pass(Duration.ofSeconds(1));

    SignedCrl next =
        new CrlIssuance(restored, signer, check(), events, time)
            .issue(issuer, SCOPE, Due.SCHEDULED, TERMS, NODE)
            .orElseThrow();

    assertThat(BigInteger.valueOf(next.crl().number())).isGreaterThan(lost);
  }

  @Test
  void issue_shards_eachHasItsOwnInACriticalDistributionPoint() throws Exception {
    LedgerEntry first = revoke(certificates.onCrl("issuing/1.crl"), RevocationReason.SUPERSEDED);
    LedgerEntry second = revoke(certificates.onCrl("issuing/2.crl"), RevocationReason.SUPERSEDED);

    X509CRL one = issued(new CrlScope(Fixtures.ISSUING, 1), Due.SCHEDULED);
    X509CRL zero = issued(SCOPE, Due.SCHEDULED);

    assertThat(entry(one, first)).isNotNull();
    assertThat(one.getRevokedCertificate(serial(second))).isNull();
    assertThat(one.getCriticalExtensionOIDs()).containsExactly("2.5.29.28");
    assertThat(new String(one.getExtensionValue("2.5.29.28"), StandardCharsets.ISO_8859_1))
        .contains("/issuing/1.crl");
    assertThat(zero.getCriticalExtensionOIDs()).containsExactly("2.5.29.28");
    assertThat(zero.getRevokedCertificates()).isNull();
  }

  @Test
  void issue_expiredCertificate_leavesAfterOneMoreScheduledCrl() throws Exception {
    LedgerEntry entry = certificates.silent(Fixtures.NOW.plus(Duration.ofHours(2)));
    revoke(entry, RevocationReason.KEY_COMPROMISE);
    time.pass(Duration.ofMinutes(90));
    assertThat(entry(issued(SCOPE, Due.SCHEDULED), entry)).isNotNull();
    time.pass(Duration.ofMinutes(40));

    assertThat(issued(SCOPE, Due.UNSCHEDULED).getRevokedCertificate(serial(entry))).isNotNull();
    assertThat(issued(SCOPE, Due.SCHEDULED).getRevokedCertificate(serial(entry))).isNotNull();
    assertThat(issued(SCOPE, Due.SCHEDULED).getRevokedCertificate(serial(entry))).isNull();
  }

  /** Revocations all the time: no CRL is due for its age, and entries leave all the same. */
  @Test
  void issue_unscheduledAllTheTime_oneInEachPeriodCountsAsScheduled() throws Exception {
    LedgerEntry entry = certificates.silent(Fixtures.NOW.plus(Duration.ofMinutes(30)));
    revoke(entry, RevocationReason.KEY_COMPROMISE);
    assertThat(entry(issued(SCOPE, Due.SCHEDULED), entry)).isNotNull();
    time.pass(Duration.ofMinutes(59));
    assertThat(entry(issued(SCOPE, Due.UNSCHEDULED), entry)).isNotNull();
    time.pass(Duration.ofMinutes(1));
    assertThat(entry(issued(SCOPE, Due.UNSCHEDULED), entry)).isNotNull();
    time.pass(Duration.ofMinutes(1));

    assertThat(issued(SCOPE, Due.UNSCHEDULED).getRevokedCertificate(serial(entry))).isNull();
  }

  @Test
  void issue_signerLost_numberStaysUnusedNextOneIsHigher() throws Exception {
    signer.failNext(FakeSigner.Fault.LOST);

    assertThatThrownBy(() -> issued(SCOPE, Due.SCHEDULED)).isInstanceOf(SignerUnavailable.class);
    ScopeState lost = state();
    X509CRL next = issued(SCOPE, Due.SCHEDULED);

    assertThat(lost.newest()).isEmpty();
    assertThat(lost.reservedAt()).contains(Fixtures.NOW);
    assertThat(number(next)).isGreaterThan(BigInteger.valueOf(Fixtures.NOW.toEpochMilli()));
    assertThat(state().newest()).isPresent();
  }

  @Test
  void issue_wrongKeySigned_nothingPublished() {
    signer.failNext(FakeSigner.Fault.WRONG_KEY);

    assertThatThrownBy(() -> issued(SCOPE, Due.SCHEDULED)).isInstanceOf(SignatureRefused.class);
    assertThat(state().newest()).isEmpty();
    assertThat(events.names()).containsExactly("CrlSignatureRefused");
  }

  @Test
  void issue_numberTakenMeanwhile_nothingSigned() {
    CrlStore slow =
        new CrlStore() {
          @Override
          public void open(CrlScope scope) {
            store.open(scope);
          }

          @Override
          public List<ScopeState> states() {
            return store.states();
          }

          @Override
          public CrlSnapshot read(CrlScope scope, RevokedCertificates entries) {
            return store.read(scope, entries);
          }

          @Override
          public CrlSnapshot readChanges(CrlScope scope, RevokedCertificates changes) {
            return store.readChanges(scope, changes);
          }

          @Override
          public boolean record(PlannedCrl crl, String node) {
            assertThat(store.record(crl, "node-1")).isTrue();
            return store.record(crl, node);
          }

          @Override
          public void recordSignature(PlannedCrl crl, OctetString signature) {
            store.recordSignature(crl, signature);
          }

          @Override
          public Optional<SignedCrl> find(CrlScope scope, long number) {
            return store.find(scope, number);
          }
        };
    store.open(SCOPE);

    Optional<SignedCrl> issued =
        new CrlIssuance(slow, signer, check(), events, time)
            .issue(issuer, SCOPE, Due.SCHEDULED, TERMS, NODE);

    assertThat(issued).isEmpty();
    assertThat(signer.signatures()).isZero();
  }

  @Test
  void issue_issuerEndsSooner_nextUpdateIsItsEnd() throws Exception {
    time.pass(Duration.between(Fixtures.NOW, issuer.validity().notAfter()).minusHours(2));

    assertThat(issued(SCOPE, Due.SCHEDULED).getNextUpdate())
        .isEqualTo(Date.from(issuer.validity().notAfter()));
  }

  private PostSignCheck check() {
    return new PostSignCheck(
        new IssuerCatalog(List.of(issuer))::publicKey, new BouncyCastleVerifier());
  }

  private ScopeState state() {
    return store.states().stream().filter(s -> s.scope().equals(SCOPE)).findFirst().orElseThrow();
  }

  private LedgerEntry revoke(LedgerEntry entry, RevocationReason reason) {
    assertThat(revoker.revoke(entry, Intents.ALICE, reason, Optional.empty())).isNotNull();
    return entry;
  }

  private X509CRL issued(CrlScope scope, Due due) throws CRLException, CertificateException {
    store.open(scope);
    SignedCrl signed = issuance.issue(issuer, scope, due, TERMS, NODE).orElseThrow();
    byte[] encoded =
        TbsCertListWriter.assemble(
                signed.crl().tbsCertList(), signed.crl().signatureAlgorithm(), signed.signature())
            .encoded();
    return (X509CRL)
        CertificateFactory.getInstance("X.509").generateCRL(new ByteArrayInputStream(encoded));
  }

  private static X509CRLEntry entry(X509CRL crl, LedgerEntry of) {
    X509CRLEntry entry = crl.getRevokedCertificate(serial(of));
    assertThat(entry).isNotNull();
    return entry;
  }

  private static BigInteger serial(LedgerEntry entry) {
    return new BigInteger(1, entry.intent().serialNumber().octets());
  }

  /** The extension's OCTET STRING holds an INTEGER of less than 128 octets. */
  private static BigInteger number(X509CRL crl) {
    byte[] value = crl.getExtensionValue("2.5.29.20");
    return new BigInteger(1, Arrays.copyOfRange(value, 4, value.length));
  }
}
