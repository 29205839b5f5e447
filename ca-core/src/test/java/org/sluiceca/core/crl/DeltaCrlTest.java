package org.sluiceca.core.crl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.cert.CRLReason;
import java.security.cert.X509CRL;
import java.time.Duration;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.crl.CrlSchedule.Due;
import org.sluiceca.core.crl.CrlStore.SignedCrl;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.failure.CaUnavailable.SignatureRefused;
import org.sluiceca.core.failure.CaUnavailable.SignerUnavailable;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.revoke.Revoker;
import org.sluiceca.core.sign.IssuerSigner;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.testkit.FakeSigner;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.InMemoryRevocations;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.ListEventSink;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.testkit.Revocable;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.RevocationReason;

/** Delta CRLs (RFC 5280 5.2.4), read by the JDK's parser. */
class DeltaCrlTest {

  private static final DeltaTerms DELTAS =
      new DeltaTerms(Duration.ofMinutes(5), Duration.ofMinutes(30));
  private static final CrlTerms TERMS =
      new CrlTerms(Duration.ofHours(1), Duration.ofHours(24), Optional.of(DELTAS));
  private static final CrlScope SCOPE = new CrlScope(Fixtures.ISSUING, 0);
  private static final CrlScope SHARD = new CrlScope(Fixtures.ISSUING, 3);
  private static final String INDICATOR = "2.5.29.27";
  private static final String DISTRIBUTION_POINT = "2.5.29.28";
  private static final String FRESHEST = "2.5.29.46";

  private final ManualTime time = new ManualTime(Fixtures.NOW);
  private final InMemoryRevocations store = new InMemoryRevocations(time);
  private final ListEventSink events = new ListEventSink();
  private final SoftwareKey key = SoftwareKey.named("issuer-ec-p256");
  private final Issuer issuer = Fixtures.issuing(key);
  private final FakeSigner signer =
      new FakeSigner(Fixtures.ISSUING, key, SoftwareKey.named("ec-p256"));
  private final Revoker revoker = new Revoker(store, time, events);
  private final Revocable certificates = new Revocable(9);
  private final CrlIssuance issuance = issuance(signer);

  @Test
  void issueDelta_revokedSinceTheBase_onlyThatAndCriticallyTheBaseNumber() {
    revoke(RevocationReason.SUPERSEDED);
    SignedCrl base = complete(SCOPE, Due.SCHEDULED);
    time.pass(Duration.ofMinutes(5));
    LedgerEntry since = revoke(RevocationReason.KEY_COMPROMISE);

    SignedCrl delta = delta(SCOPE).orElseThrow();

    X509CRL crl = parse(delta);
    assertThat(crl.getCriticalExtensionOIDs()).containsExactly(INDICATOR);
    assertThat(integer(crl, INDICATOR)).isEqualTo(base.crl().number());
    assertThat(integer(crl, "2.5.29.20")).isEqualTo(delta.crl().number());
    assertThat(delta.crl().number()).isGreaterThan(base.crl().number());
    // RFC 5280 5.2.6: a delta does not say where its delta is.
    assertThat(crl.getNonCriticalExtensionOIDs())
        .containsExactlyInAnyOrder("2.5.29.20", "2.5.29.35");
    assertThat(crl.getNextUpdate()).isEqualTo(Date.from(time.instant().plus(DELTAS.lifetime())));
    assertThat(crl.getRevokedCertificates()).hasSize(1);
    assertThat(reason(crl, since)).isEqualTo(CRLReason.KEY_COMPROMISE);
    assertThat(events.events().getLast())
        .isEqualTo(
            new CaEvent.CrlIssued(
                Fixtures.ISSUING,
                0,
                delta.crl().number(),
                OptionalLong.of(base.crl().number()),
                1));
  }

  @Test
  void issue_deltasAreOn_completeCrlSaysWhereTheDeltaIs() {
    X509CRL crl = parse(complete(SCOPE, Due.SCHEDULED));

    assertThat(crl.getCriticalExtensionOIDs()).isNullOrEmpty();
    assertThat(text(crl, FRESHEST)).endsWith("/issuing/delta.crl");
    assertThat(text(parse(complete(SHARD, Due.SCHEDULED)), FRESHEST))
        .endsWith("/issuing/3-delta.crl");
  }

  @Test
  void issueDelta_heldOnTheBaseAndReleased_removed() {
    LedgerEntry before = revoke(RevocationReason.CERTIFICATE_HOLD);
    SignedCrl base = complete(SCOPE, Due.SCHEDULED);
    LedgerEntry after = revoke(RevocationReason.CERTIFICATE_HOLD);
    complete(SCOPE, Due.UNSCHEDULED);
    release(before);
    release(after);

    SignedCrl delta = delta(SCOPE).orElseThrow();

    assertThat(delta.crl().base()).hasValue(base.crl().number());
    assertThat(reason(parse(delta), before)).isEqualTo(CRLReason.REMOVE_FROM_CRL);
    // RFC 5280 5.2.4: it was on hold on a CRL after the base.
    assertThat(reason(parse(delta), after)).isEqualTo(CRLReason.REMOVE_FROM_CRL);
  }

  /** RFC 5280 5.2.4: until it has been on a complete CRL. */
  @Test
  void issueDelta_revokedSinceAndExpired_staysUntilTheNextBase() {
    complete(SCOPE, Due.SCHEDULED);
    LedgerEntry entry = certificates.silent(Fixtures.NOW.plus(Duration.ofMinutes(10)));
    revoke(entry, RevocationReason.SUPERSEDED);
    time.pass(Duration.ofMinutes(20));

    assertThat(reason(parse(delta(SCOPE).orElseThrow()), entry)).isEqualTo(CRLReason.SUPERSEDED);
    complete(SCOPE, Due.SCHEDULED);
    assertThat(reason(parse(delta(SCOPE).orElseThrow()), entry))
        .isEqualTo(CRLReason.REMOVE_FROM_CRL);
    complete(SCOPE, Due.SCHEDULED);
    assertThat(parse(delta(SCOPE).orElseThrow()).getRevokedCertificates()).isNull();
  }

  @Test
  void issueDelta_nothingChanged_emptyAndSignedAllTheSame() {
    complete(SCOPE, Due.SCHEDULED);

    assertThat(parse(delta(SCOPE).orElseThrow()).getRevokedCertificates()).isNull();
  }

  @Test
  void issueDelta_noBase_none() {
    store.open(SCOPE);
    assertThat(delta(SCOPE)).isEmpty();

    signer.failNext(FakeSigner.Fault.LOST);
    assertThatThrownBy(() -> complete(SCOPE, Due.SCHEDULED)).isInstanceOf(SignerUnavailable.class);
    assertThat(delta(SCOPE)).as("never signed, so never published").isEmpty();

    complete(SCOPE, Due.SCHEDULED);
    time.pass(TERMS.lifetime());
    assertThat(delta(SCOPE)).as("the base is over").isEmpty();
    assertThat(signer.signatures()).isEqualTo(1);
  }

  /** RFC 5280 5.2.4: both have the same issuingDistributionPoint, or neither has one. */
  @Test
  void issueDelta_shards_theDistributionPointOfTheBase() {
    complete(SCOPE, Due.SCHEDULED);
    store.open(SHARD);
    assertThat(delta(SCOPE)).as("the base has none, a delta would").isEmpty();

    X509CRL base = parse(complete(SCOPE, Due.SCHEDULED));
    X509CRL delta = parse(delta(SCOPE).orElseThrow());

    assertThat(delta.getCriticalExtensionOIDs())
        .containsExactlyInAnyOrder(INDICATOR, DISTRIBUTION_POINT);
    assertThat(delta.getExtensionValue(DISTRIBUTION_POINT))
        .isEqualTo(base.getExtensionValue(DISTRIBUTION_POINT));
  }

  @Test
  void issueDelta_beforeEverythingElse() {
    complete(SCOPE, Due.SCHEDULED);
    AtomicReference<Lane> lane = new AtomicReference<>();

    CrlIssuance watched =
        issuance(
            (signable, schedule) -> {
              lane.set(schedule.lane());
              return signer.sign(signable, schedule);
            });
    assertThat(watched.issueDelta(issuer, SCOPE, DELTAS, "node-0").signed()).isPresent();

    assertThat(lane.get()).isEqualTo(Lane.STATUS);
  }

  @Test
  void issueDelta_wrongKeySigned_nothingPublished() {
    complete(SCOPE, Due.SCHEDULED);
    signer.failNext(FakeSigner.Fault.WRONG_KEY);

    assertThatThrownBy(() -> delta(SCOPE)).isInstanceOf(SignatureRefused.class);
    assertThat(state().delta()).isEmpty();
    assertThat(events.names()).contains("CrlSignatureRefused");
  }

  /** A node stops between its record and its signature, and wakes when others have gone on. */
  @Test
  void issueDelta_signedLate_theNewerOneStands() {
    complete(SCOPE, Due.SCHEDULED);
    AtomicReference<SignedCrl> others = new AtomicReference<>();
    CrlIssuance stopped =
        issuance(
            (signable, schedule) -> {
              time.pass(Duration.ofMinutes(7));
              revoke(RevocationReason.KEY_COMPROMISE);
              others.set(delta(SCOPE).orElseThrow());
              return signer.sign(signable, schedule);
            });

    SignedCrl late = stopped.issueDelta(issuer, SCOPE, DELTAS, "node-1").signed().orElseThrow();

    assertThat(late.crl().number()).isLessThan(others.get().crl().number());
    assertThat(late.crl().terms().revision()).isLessThan(others.get().crl().terms().revision());
    assertThat(state().delta().orElseThrow().newest().number())
        .isEqualTo(others.get().crl().number());
    assertThat(state().delta().orElseThrow().pending()).isEmpty();
  }

  /**
   * A node ends after its record: the number stays unused, and no node waits for it without end.
   */
  @Test
  void issueDelta_neverSigned_nextOneIsHigherAndKnowsAll() {
    complete(SCOPE, Due.SCHEDULED);
    LedgerEntry entry = revoke(RevocationReason.SUPERSEDED);
    signer.failNext(FakeSigner.Fault.ANSWER_LOST);
    assertThatThrownBy(() -> delta(SCOPE)).isInstanceOf(SignerUnavailable.class);
    assertThat(state().delta()).isEmpty();
    assertThat(state().reservedAt()).contains(time.instant());

    SignedCrl next = complete(SCOPE, Due.UNSCHEDULED);
    SignedCrl delta = delta(SCOPE).orElseThrow();

    assertThat(delta.crl().number()).isEqualTo(next.crl().number() + 1);
    assertThat(next.crl().number()).isEqualTo(Fixtures.NOW.toEpochMilli() + 2);
    assertThat(reason(parse(delta), entry)).isEqualTo(CRLReason.SUPERSEDED);
  }

  private CrlIssuance issuance(IssuerSigner by) {
    return new CrlIssuance(
        store,
        by,
        new PostSignCheck(
            new IssuerCatalog(List.of(issuer))::publicKey, new BouncyCastleVerifier()),
        events,
        time);
  }

  private SignedCrl complete(CrlScope scope, Due due) {
    store.open(scope);
    return issuance.issue(issuer, scope, due, TERMS, "node-0").orElseThrow();
  }

  private Optional<SignedCrl> delta(CrlScope scope) {
    return issuance.issueDelta(issuer, scope, DELTAS, "node-0").signed();
  }

  private ScopeState state() {
    return store.states().stream().filter(s -> s.scope().equals(SCOPE)).findFirst().orElseThrow();
  }

  private LedgerEntry revoke(RevocationReason reason) {
    return revoke(certificates.onCrl("issuing.crl"), reason);
  }

  private LedgerEntry revoke(LedgerEntry entry, RevocationReason reason) {
    assertThat(revoker.revoke(entry, Intents.ALICE, reason, Optional.empty())).isNotNull();
    return entry;
  }

  private void release(LedgerEntry entry) {
    assertThat(revoker.release(entry, Intents.ALICE)).isNotNull();
  }

  private static X509CRL parse(SignedCrl signed) {
    return CrlEntries.parse(signed.crl().tbsCertList());
  }

  private static CRLReason reason(X509CRL crl, LedgerEntry of) {
    return crl.getRevokedCertificate(new BigInteger(1, of.intent().serialNumber().octets()))
        .getRevocationReason();
  }

  private static String text(X509CRL crl, String oid) {
    return new String(crl.getExtensionValue(oid), StandardCharsets.ISO_8859_1);
  }

  /** The extension's OCTET STRING holds an INTEGER of less than 128 octets. */
  private static long integer(X509CRL crl, String oid) {
    byte[] value = crl.getExtensionValue(oid);
    return new BigInteger(1, Arrays.copyOfRange(value, 4, value.length)).longValueExact();
  }
}
