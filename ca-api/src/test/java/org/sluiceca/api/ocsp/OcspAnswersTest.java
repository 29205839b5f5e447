package org.sluiceca.api.ocsp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERTaggedObject;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.ocsp.store.RegisteredResponder;
import org.sluiceca.api.platform.store.Await;
import org.sluiceca.core.der.CertId;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.der.OcspResponseStatus;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.der.TbsCertificateWriter;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.failure.CaUnavailable.SignerUnavailable;
import org.sluiceca.core.intent.Claim;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.ocsp.AnswerCache;
import org.sluiceca.core.ocsp.IssuerHashes;
import org.sluiceca.core.ocsp.Reply;
import org.sluiceca.core.ocsp.ResponseIssuance;
import org.sluiceca.core.ocsp.StatusRecords;
import org.sluiceca.core.ocsp.StatusRule;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.revoke.Revocation;
import org.sluiceca.core.revoke.RevocationStatus;
import org.sluiceca.core.sign.IssuerSigner;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.InMemoryLedgerStore;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.ListEventSink;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.Validity;

class OcspAnswersTest {

  private static final SoftwareKey ISSUER_KEY = SoftwareKey.named("issuer-ec-p256");
  private static final SoftwareKey KEY = SoftwareKey.named("ec-p256");
  private static final Issuer ISSUER = Fixtures.issuing(ISSUER_KEY);
  private static final int SIGNING = 8;
  private static final int KEPT = 4;
  private static final int FLIGHTS = 40;
  private static final int WAITERS = 8;

  private final ManualTime time = new ManualTime(Fixtures.NOW);
  private final Intents intents = new Intents(7);
  private final InMemoryLedgerStore store = new InMemoryLedgerStore(time, time);
  private final SignatureShares shares = new SignatureShares(SIGNING, WAITERS, time);
  private final ListEventSink events = new ListEventSink();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final AtomicInteger lookups = new AtomicInteger();
  private final AtomicInteger signatures = new AtomicInteger();
  private final AtomicReference<RevocationStatus> status =
      new AtomicReference<>(RevocationStatus.NEVER_REVOKED);
  private final AtomicReference<CountDownLatch> gate = new AtomicReference<>(new CountDownLatch(0));
  private final AtomicReference<@Nullable LedgerUnavailable> fault = new AtomicReference<>();
  private final AtomicReference<IssuerSigner> signer = new AtomicReference<>();
  private final AnswerCache<CountDownLatch> cache =
      new AnswerCache<>(
          new AnswerCache.Limits(100, 1_000_000, FLIGHTS, WAITERS), () -> new CountDownLatch(1));

  @BeforeEach
  void soundToken() {
    signer.set((s, turn) -> KEY.sign(s.signatureAlgorithm(), s.toBeSigned()));
  }

  @Test
  void answer_again_neitherLookUpNorSignature() {
    byte[] request = request(issued());
    OcspAnswers answers = answers(false);
    Reply first = answers.answer(request);

    for (int i = 0; i < 100; i++) {
      assertThat(answers.answer(request)).isEqualTo(first);
    }

    assertThat(((Reply.Signed) first).kind()).isEqualTo(Reply.Kind.GOOD);
    assertThat(signatures).hasValue(1);
    assertThat(lookups).hasValue(1);
  }

  @Test
  void answer_manyAtOnce_oneSignatureForAll() throws Exception {
    CountDownLatch held = hold();
    byte[] request = request(issued());
    OcspAnswers answers = answers(false);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Reply>> asked = new ArrayList<>();
      for (int i = 0; i < WAITERS; i++) {
        asked.add(threads.submit(() -> answers.answer(request)));
      }
      Await.until("all others wait", () -> count("joined") == WAITERS - 1);
      held.countDown();

      Reply first = asked.getFirst().get(60, TimeUnit.SECONDS);
      for (Future<Reply> each : asked) {
        assertThat(each.get(60, TimeUnit.SECONDS)).isEqualTo(first);
      }
      assertThat(first).isInstanceOf(Reply.Signed.class);
    }
    assertThat(signatures).hasValue(1);
  }

  @Test
  void answer_stormOfDistinctCertificates_boundedAndOverAtOnce() throws Exception {
    CountDownLatch held = hold();
    OcspAnswers answers = answers(false);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Reply>> asked = new ArrayList<>();
      for (int i = 0; i < KEPT + WAITERS; i++) {
        byte[] request = request(issued());
        asked.add(threads.submit(() -> answers.answer(request)));
        int started = i + 1;
        Await.until("it was looked up", () -> lookups.get() == started);
      }
      Await.until("the places are taken", () -> signatures.get() == KEPT);
      Await.until("the others wait", () -> shares.waiting() == WAITERS);
      for (int i = 0; i < 100; i++) {
        assertThat(answers.answer(request(issued())))
            .isEqualTo(new Reply.Refused(OcspResponseStatus.TRY_LATER));
      }
      held.countDown();
      for (Future<Reply> each : asked) {
        assertThat(each.get(60, TimeUnit.SECONDS)).isInstanceOf(Reply.Signed.class);
      }
    }
    assertThat(answers.answer(request(issued()))).isInstanceOf(Reply.Signed.class);
    assertThat(signatures.get()).isLessThanOrEqualTo(KEPT + WAITERS + 1);
  }

  /** Anybody can ask for any number of serial numbers that never were, and with any nonce. */
  @Test
  void answer_stormThatCannotBeKept_questionsAboutCertificatesAnswered() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    AtomicInteger stuck = new AtomicInteger();
    OcspAnswers answers = answers(true);
    SerialNumber known = issued();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Reply>> storm = new ArrayList<>();
      signer.set(
          (s, turn) -> {
            stuck.incrementAndGet();
            await(held);
            return KEY.sign(s.signatureAlgorithm(), s.toBeSigned());
          });
      for (int i = 0; i < FLIGHTS / 2; i++) {
        byte[] madeUp = request(intents.next().serialNumber());
        byte[] nonce = withNonce(known, i, false);
        storm.add(threads.submit(() -> answers.answer(madeUp)));
        storm.add(threads.submit(() -> answers.answer(nonce)));
      }
      Await.until("a quarter of the places each", () -> stuck.get() == SIGNING / 2);
      Await.until("the others were refused", () -> refused() == FLIGHTS - SIGNING / 2);

      soundToken();
      for (int i = 0; i < 25; i++) {
        assertThat(kind(answers.answer(request(issued())))).isEqualTo(Reply.Kind.GOOD);
      }
      held.countDown();
      for (Future<Reply> each : storm) {
        assertThat(each.get(60, TimeUnit.SECONDS)).isNotNull();
      }
    }
  }

  /** The database is asked once for all that came meanwhile. */
  @Test
  void answer_manyWhileOneLookUpRuns_oneRoundForAll() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    gate.set(held);
    OcspAnswers answers = answers(false);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Reply>> asked = new ArrayList<>();
      for (int i = 0; i < 3 * KEPT; i++) {
        byte[] request = request(issued());
        asked.add(threads.submit(() -> answers.answer(request)));
        int led = Math.min(i + 1, 2);
        Await.until("two rounds run at most", () -> lookups.get() == led);
      }
      Await.until("all were asked", () -> count("miss") == 3 * KEPT);
      held.countDown();
      for (Future<Reply> each : asked) {
        assertThat(kind(each.get(60, TimeUnit.SECONDS))).isEqualTo(Reply.Kind.GOOD);
      }
    }
    // The two that ran, one for those that waited, and one for any that came just then.
    assertThat(lookups.get()).isBetween(3, 6);
  }

  @Test
  void answer_databaseLost_tryLaterAndGoodOnceItIsBack() {
    byte[] request = request(issued());
    OcspAnswers answers = answers(false);
    fault.set(new LedgerUnavailable("lost"));

    assertThat(answers.answer(request)).isEqualTo(new Reply.Refused(OcspResponseStatus.TRY_LATER));
    fault.set(null);

    assertThat(kind(answers.answer(request))).isEqualTo(Reply.Kind.GOOD);
  }

  @Test
  void answer_revokedMeanwhile_revokedOnceTheCacheWasTold() {
    SerialNumber serial = issued();
    OcspAnswers answers = answers(false);
    assertThat(kind(answers.answer(request(serial)))).isEqualTo(Reply.Kind.GOOD);

    status.set(
        new RevocationStatus(
            1,
            Optional.of(
                new Revocation(RevocationReason.KEY_COMPROMISE, Fixtures.NOW, Optional.empty()))));
    cache.drop(Fixtures.ISSUING, OctetString.copyOf(serial.octets()));

    assertThat(kind(answers.answer(request(serial)))).isEqualTo(Reply.Kind.REVOKED);
  }

  /** It may be issued a second later, and the cache gets no notice of it. */
  @Test
  void answer_pending_keptByNobodyAndGoodOnceIssued() {
    Intent intent = pending();
    OcspAnswers answers = answers(false);

    Reply before = answers.answer(request(intent.serialNumber()));

    assertThat(kind(before)).isEqualTo(Reply.Kind.UNKNOWN);
    assertThat(((Reply.Signed) before).isReusable()).isFalse();
    issue(intent);
    assertThat(kind(answers.answer(request(intent.serialNumber())))).isEqualTo(Reply.Kind.GOOD);
  }

  @Test
  void answer_serialNumberOfAnotherLayout_unknownWithoutALookUp() {
    byte[] request = request(List.of(BigInteger.valueOf(5)), Optional.empty());

    assertThat(kind(answers(false).answer(request))).isEqualTo(Reply.Kind.UNKNOWN);
    assertThat(lookups).hasValue(0);
  }

  @Test
  void answer_tokenLost_tryLaterAndNothingKept() {
    byte[] request = request(issued());
    OcspAnswers answers = answers(false);
    lose();

    assertThat(answers.answer(request)).isEqualTo(new Reply.Refused(OcspResponseStatus.TRY_LATER));
    soundToken();
    assertThat(kind(answers.answer(request))).isEqualTo(Reply.Kind.GOOD);
  }

  @Test
  void answer_tokenLostInTheLastTenth_oldAnswerUntilItsEnd() {
    byte[] request = request(issued());
    OcspAnswers answers = answers(false);
    Reply first = answers.answer(request);
    lose();

    time.pass(Duration.ofMinutes(59));
    assertThat(answers.answer(request)).isEqualTo(first);
    time.pass(Duration.ofMinutes(1));
    assertThat(answers.answer(request)).isEqualTo(new Reply.Refused(OcspResponseStatus.TRY_LATER));
  }

  @Test
  void answer_signatureOfAnotherKey_internalErrorAndAnEvent() {
    signer.set((s, turn) -> ISSUER_KEY.sign(s.signatureAlgorithm(), s.toBeSigned()));

    assertThat(answers(false).answer(request(issued())))
        .isEqualTo(new Reply.Refused(OcspResponseStatus.INTERNAL_ERROR));
    assertThat(events.names()).containsExactly("OcspSignatureRefused");
  }

  /** No caller may wait for a flight that never ends. */
  @Test
  void answer_bugWhileItIsMade_nextOneLeadsAgain() {
    byte[] request = request(issued());
    OcspAnswers answers = answers(false);
    signer.set(
        (s, turn) -> {
          throw new IllegalStateException("planted");
        });
    for (int i = 0; i < 2 * WAITERS; i++) {
      assertThatIllegalStateException().isThrownBy(() -> answers.answer(request));
    }
    soundToken();

    assertThat(kind(answers.answer(request))).isEqualTo(Reply.Kind.GOOD);
  }

  @Test
  void answer_nonceByDefault_ignoredAndKept() {
    SerialNumber serial = issued();
    OcspAnswers answers = answers(false);

    Reply first = answers.answer(withNonce(serial, 1, false));

    assertThat(answers.answer(withNonce(serial, 2, false))).isEqualTo(first);
    assertThat(answers.answer(withNonce(serial, 3, true)))
        .isEqualTo(new Reply.Refused(OcspResponseStatus.MALFORMED_REQUEST));
    assertThat(signatures).hasValue(1);
  }

  @Test
  void answer_nonceHonoured_aSignatureEach() {
    SerialNumber serial = issued();
    OcspAnswers answers = answers(true);

    Reply.Signed first = (Reply.Signed) answers.answer(withNonce(serial, 1, true));
    Reply.Signed second = (Reply.Signed) answers.answer(withNonce(serial, 2, false));

    assertThat(first.isReusable()).isFalse();
    assertThat(second.response()).isNotEqualTo(first.response());
    assertThat(signatures).hasValue(2);
    assertThat(cache.entries()).isZero();
  }

  @Test
  void answer_severalOfOneIssuer_oneResponse() {
    byte[] request =
        request(
            List.of(number(issued()), number(issued()), BigInteger.valueOf(3)), Optional.empty());

    assertThat(kind(answers(false).answer(request))).isEqualTo(Reply.Kind.SEVERAL);
    assertThat(cache.entries()).isZero();
  }

  @Test
  void answer_responderEnded_unauthorized() {
    OcspAnswers answers = answers(false);
    time.pass(Duration.ofDays(11));

    assertThat(answers.answer(request(issued())))
        .isEqualTo(new Reply.Refused(OcspResponseStatus.UNAUTHORIZED));
  }

  private static void await(CountDownLatch held) {
    try {
      assertThat(held.await(120, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private double refused() {
    return registry.counter("ca.ocsp.responses", "outcome", "try_later").count();
  }

  private CountDownLatch hold() {
    CountDownLatch held = new CountDownLatch(1);
    signer.set(
        (s, turn) -> {
          await(held);
          return KEY.sign(s.signatureAlgorithm(), s.toBeSigned());
        });
    return held;
  }

  private void lose() {
    signer.set(
        (s, turn) -> {
          throw new SignerUnavailable("lost", false, null);
        });
  }

  private double count(String result) {
    return registry.counter("ca.ocsp.cache.lookups", "result", result).count();
  }

  private static Reply.Kind kind(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Signed.class);
    return ((Reply.Signed) reply).kind();
  }

  private OcspAnswers answers(boolean honoursNonces) {
    Responders responders =
        new Responders(
            () -> List.of(responder()),
            Map.of(Fixtures.ISSUING, OctetString.copyOf(KEY.publicKey().encoded())),
            time);
    responders.refresh();
    return new OcspAnswers(
        new OcspAnswers.Sources(
            new IssuerHashes(List.of(ISSUER)),
            responders,
            new StatusLookups(
                this::records, new StatusRule(StatusRule.NeverIssued.UNKNOWN), time, time),
            shares,
            new ResponseIssuance(
                (s, turn) -> {
                  signatures.incrementAndGet();
                  return signer.get().sign(s, turn);
                },
                new BouncyCastleVerifier(),
                time,
                Duration.ofHours(1))),
        cache,
        honoursNonces,
        time,
        time,
        new OcspMetrics(registry),
        events);
  }

  private Map<SerialNumber, StatusRecords.Known> records(List<SerialNumber> asked) {
    lookups.incrementAndGet();
    await(gate.get());
    LedgerUnavailable failure = fault.get();
    if (failure != null) {
      throw failure;
    }
    Map<SerialNumber, StatusRecords.Known> found = new HashMap<>();
    for (SerialNumber serial : asked) {
      store
          .find(serial)
          .ifPresent(entry -> found.put(serial, new StatusRecords.Known(entry, status.get())));
    }
    return found;
  }

  private SerialNumber issued() {
    Intent intent = pending();
    issue(intent);
    return intent.serialNumber();
  }

  private Intent pending() {
    Intent intent = intents.next();
    ClaimTerms terms = new ClaimTerms(new NodeId("node"), Duration.ofSeconds(15));
    var _ = store.recordIntent(intent, terms, Deadline.after(Duration.ofSeconds(10), time));
    return intent;
  }

  private void issue(Intent intent) {
    ClaimTerms terms = new ClaimTerms(new NodeId("node"), Duration.ofSeconds(15));
    Deadline soon = Deadline.after(Duration.ofSeconds(10), time);
    var _ =
        store.recordOutcome(
            intent.serialNumber(),
            new Outcome.Issued(Intents.signature(1)),
            new Claim(terms.owner(), 0, soon),
            soon);
  }

  private static RegisteredResponder responder() {
    Instant now = Fixtures.NOW;
    var tbs =
        TbsCertificateWriter.write(
            new TbsCertificate(
                OctetString.copyOf(new byte[] {1}),
                SignatureAlgorithm.ECDSA_SHA256,
                ISSUER.subject(),
                new Validity(now.minus(Duration.ofDays(20)), now.plus(Duration.ofDays(10))),
                ISSUER.subject(),
                KEY.publicKey(),
                List.of(
                    Extensions.basicConstraints(false, OptionalInt.empty()),
                    Extensions.extendedKeyUsage(Set.of(ExtendedKeyUsage.OCSP_SIGNING)))));
    return new RegisteredResponder(
        Fixtures.ISSUING,
        TbsCertificateWriter.assemble(
            tbs,
            SignatureAlgorithm.ECDSA_SHA256,
            ISSUER_KEY.sign(SignatureAlgorithm.ECDSA_SHA256, OctetString.copyOf(tbs.encoded()))),
        OctetString.copyOf(KEY.publicKey().encoded()),
        new RegisteredIssuer.Key(OctetString.copyOf(new byte[] {1}), "ec-p256", "token"));
  }

  private static BigInteger number(SerialNumber serial) {
    return new BigInteger(1, serial.octets());
  }

  private static byte[] request(SerialNumber serial) {
    return request(List.of(number(serial)), Optional.empty());
  }

  private static byte[] withNonce(SerialNumber serial, int first, boolean critical) {
    byte[] nonce = new byte[32];
    nonce[0] = (byte) first;
    return request(
        List.of(number(serial)),
        Optional.of(
            new Extension(
                new ASN1ObjectIdentifier("1.3.6.1.5.5.7.48.1.2"),
                critical,
                encoded(new DEROctetString(nonce)))));
  }

  private static byte[] request(List<BigInteger> serials, Optional<Extension> extension) {
    ASN1EncodableVector list = new ASN1EncodableVector();
    for (BigInteger serial : serials) {
      ASN1EncodableVector id = new ASN1EncodableVector();
      id.add(new AlgorithmIdentifier(new ASN1ObjectIdentifier(CertId.SHA_1), DERNull.INSTANCE));
      id.add(new DEROctetString(sha1(ISSUER.subject().encoded())));
      id.add(
          new DEROctetString(
              sha1(
                  SubjectPublicKeyInfo.getInstance(ISSUER.subjectPublicKeyInfo().encoded())
                      .getPublicKeyData()
                      .getBytes())));
      id.add(new ASN1Integer(serial));
      list.add(new DERSequence(new DERSequence(id)));
    }
    ASN1EncodableVector tbs = new ASN1EncodableVector();
    tbs.add(new DERSequence(list));
    extension.ifPresent(e -> tbs.add(new DERTaggedObject(true, 2, new DERSequence(e))));
    return encoded(new DERSequence(new DERSequence(tbs)));
  }

  private static byte[] encoded(org.bouncycastle.asn1.ASN1Object object) {
    try {
      return object.getEncoded("DER");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] sha1(byte[] octets) {
    try {
      return MessageDigest.getInstance("SHA-1").digest(octets);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
