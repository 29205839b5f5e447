package org.sluiceca.api.enrollment.renewal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sluiceca.api.enrollment.renewal.RenewalProofs.Outcome;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.request.Requester.Authentication;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.Revocable;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/** Which proofs let a certificate's holder renew it; each field altered is refused. */
class RenewalProofsTest {

  private static final ServiceUrl SERVICE = new ServiceUrl("https://ca.example.test:8443");
  private static final SoftwareKey KEY = SoftwareKey.named("ec-p256");
  private static final CsrDer CSR = CsrDer.of(new byte[] {0x30, 3, 2, 1, 5});
  private static final CsrDer OTHER_CSR = CsrDer.of(new byte[] {0x30, 3, 2, 1, 6});

  private final Revocable certificates = new Revocable(11);
  private final LedgerEntry entry = certificates.of(KEY);
  private final SerialNumber serialNumber = entry.intent().serialNumber();
  private final List<LedgerEntry> ledger = new ArrayList<>(List.of(entry));
  private final List<Outcome> outcomes = new ArrayList<>();
  private final AtomicInteger lookups = new AtomicInteger();
  private boolean isGranted = true;
  private Predicate<SubjectPublicKeyInfo> isBlocked = key -> false;

  private final RenewalProofs proofs =
      new RenewalProofs(
          SERVICE,
          new RenewalProofs.Registers(
              this::find,
              (requester, profile) -> isGranted,
              (key, requester) -> isBlocked.test(key)),
          new BouncyCastleVerifier(),
          () -> Fixtures.NOW,
          outcomes::add);

  private Optional<LedgerEntry> find(SerialNumber wanted) {
    lookups.incrementAndGet();
    return ledger.stream().filter(e -> e.intent().serialNumber().equals(wanted)).findFirst();
  }

  /** Written out here: what a client signs is part of the contract. */
  private static OctetString message(
      String context, String url, String serial, long time, CsrDer csr) {
    return OctetString.copyOf(
        (context
                + "\n"
                + url
                + "\n"
                + serial
                + "\n"
                + time
                + "\n"
                + RenewalProof.digest(csr)
                + "\n")
            .getBytes(StandardCharsets.US_ASCII));
  }

  private OctetString rightMessage(Instant time) {
    return message(
        "sluice-renewal-proof-v1",
        "https://ca.example.test:8443",
        serialNumber.hex(),
        time.getEpochSecond(),
        CSR);
  }

  private static String header(Instant time, OctetString signature) {
    return "time=%d, signature=:%s:"
        .formatted(time.getEpochSecond(), Base64.getEncoder().encodeToString(signature.octets()));
  }

  private static OctetString sign(OctetString message) {
    return KEY.sign(SignatureAlgorithm.ECDSA_SHA256, message);
  }

  private String rightHeader() {
    return header(Fixtures.NOW, sign(rightMessage(Fixtures.NOW)));
  }

  private ProblemException refused(String serial, String header, CsrDer csr) {
    return catchThrowableOfType(
        ProblemException.class, () -> proofs.verify(serial, List.of(header), csr));
  }

  private ProblemType refusal(String header) {
    return refused(serialNumber.hex(), header, CSR).type();
  }

  static List<String> keys() {
    return SoftwareKey.NAMES;
  }

  @ParameterizedTest
  @MethodSource("keys")
  void verify_byTheCertificatesKey_itsRequesterForItsProfile(String name) {
    SoftwareKey key = SoftwareKey.named(name);
    LedgerEntry own = certificates.of(key);
    ledger.add(own);
    OctetString message =
        message(
            "sluice-renewal-proof-v1",
            SERVICE.text(),
            own.intent().serialNumber().hex(),
            Fixtures.NOW.getEpochSecond(),
            CSR);
    OctetString signature = key.sign(RenewalProofs.algorithm(key.publicKey()), message);

    RenewalProofs.Proven proven =
        proofs.verify(
            own.intent().serialNumber().hex(), List.of(header(Fixtures.NOW, signature)), CSR);

    assertThat(proven.requester().id()).isEqualTo(Intents.ALICE);
    assertThat(proven.requester().authentication()).isEqualTo(Authentication.RENEWAL_PROOF);
    assertThat(proven.requester().roles()).containsExactly(Role.REQUESTER);
    assertThat(proven.requester().profiles()).containsExactly(own.intent().origin().profile());
    assertThat(outcomes).containsExactly(Outcome.VERIFIED);
  }

  @Test
  void verify_membersInTheOtherOrderAndOnTwoLines_sameRequest() {
    OctetString signature = sign(rightMessage(Fixtures.NOW));
    String time = "time=" + Fixtures.NOW.getEpochSecond();
    String signed = "signature=:" + Base64.getEncoder().encodeToString(signature.octets()) + ":";

    assertThat(proofs.verify(serialNumber.hex(), List.of(signed + " ,\t" + time), CSR))
        .isEqualTo(proofs.verify(serialNumber.hex(), List.of(time, signed), CSR));
  }

  @Test
  void verify_serialNumberInEveryForm_sameRequest() {
    String hex = serialNumber.hex();
    var first = proofs.verify(hex, List.of(rightHeader()), CSR);

    for (String form :
        List.of(
            hex.substring(1),
            "0x" + hex,
            hex.replaceAll("..(?!$)", "$0:"),
            new BigInteger(hex, 16).toString())) {
      assertThat(proofs.verify(form, List.of(rightHeader()), CSR)).as(form).isEqualTo(first);
    }
  }

  /** ECDSA signs with a random number: a repeat signed again must still be the same request. */
  @Test
  void verify_sameContentSignedTwice_sameKey() {
    OctetString message = rightMessage(Fixtures.NOW);
    OctetString first = sign(message);
    OctetString second = sign(message);

    assertThat(first).isNotEqualTo(second);
    assertThat(proofs.verify(serialNumber.hex(), List.of(header(Fixtures.NOW, first)), CSR).key())
        .isEqualTo(
            proofs.verify(serialNumber.hex(), List.of(header(Fixtures.NOW, second)), CSR).key());
  }

  @Test
  void verify_eachFieldAltered_401() {
    long now = Fixtures.NOW.getEpochSecond();
    String serial = serialNumber.hex();
    String context = "sluice-renewal-proof-v1";
    List<OctetString> others =
        List.of(
            message("sluice-renewal-proof-v2", SERVICE.text(), serial, now, CSR),
            message(context, "https://ca.example.test", serial, now, CSR),
            message(context, "https://ca.example.test:8443/", serial, now, CSR),
            message(context, "https://evil.example.test:8443", serial, now, CSR),
            message(context, SERVICE.text(), "01" + "00".repeat(18), now, CSR),
            message(context, SERVICE.text(), serial, now - 1, CSR),
            message(context, SERVICE.text(), serial, now, OTHER_CSR),
            OctetString.copyOf(new byte[0]));
    for (OctetString other : others) {
      assertThat(refusal(header(Fixtures.NOW, sign(other)))).isEqualTo(ProblemType.UNAUTHENTICATED);
    }
    assertThat(refused(serial, rightHeader(), OTHER_CSR).type())
        .isEqualTo(ProblemType.UNAUTHENTICATED);
    assertThat(refused(serial, rightHeader(), OTHER_CSR).getMessage())
        .contains(SERVICE.text(), RenewalProof.digest(OTHER_CSR));
    assertThat(outcomes).doesNotContain(Outcome.VERIFIED);
  }

  @Test
  void verify_byAnotherKeyOrHash_401() {
    OctetString message = rightMessage(Fixtures.NOW);

    for (OctetString signature :
        List.of(
            SoftwareKey.generate("ec-p256").sign(SignatureAlgorithm.ECDSA_SHA256, message),
            KEY.sign(SignatureAlgorithm.ECDSA_SHA384, message),
            SoftwareKey.named("ed25519").sign(SignatureAlgorithm.ED25519, message),
            OctetString.copyOf(new byte[64]),
            OctetString.copyOf(BigInteger.ONE.toByteArray()))) {
      assertThat(refusal(header(Fixtures.NOW, signature))).isEqualTo(ProblemType.UNAUTHENTICATED);
    }
  }

  /** A proof by the key of another certificate. */
  @Test
  void verify_ofAnotherCertificate_401() {
    LedgerEntry other = certificates.of(SoftwareKey.named("ec-p384"));
    ledger.add(other);

    assertThat(refused(other.intent().serialNumber().hex(), rightHeader(), CSR).type())
        .isEqualTo(ProblemType.UNAUTHENTICATED);
  }

  @Test
  void verify_unknownOrNotIssued_401AsIfItDidNotVerify() {
    ProblemException wrong =
        refused(serialNumber.hex(), header(Fixtures.NOW, OctetString.copyOf(new byte[64])), CSR);
    ledger.clear();
    ProblemException unknown = refused(serialNumber.hex(), rightHeader(), CSR);
    ledger.add(Revocable.pending(entry));
    ProblemException pending = refused(serialNumber.hex(), rightHeader(), CSR);

    assertThat(unknown.type()).isEqualTo(ProblemType.UNAUTHENTICATED);
    assertThat(unknown.getMessage()).isEqualTo(wrong.getMessage());
    assertThat(pending.getMessage()).isEqualTo(wrong.getMessage());
  }

  @Test
  void verify_aroundFiveMinutes_lastSecondCounts() {
    for (int sign : List.of(-1, 1)) {
      Instant last = Fixtures.NOW.plus(RenewalProofs.TIME_MAX.multipliedBy(sign));
      proofs.verify(serialNumber.hex(), List.of(header(last, sign(rightMessage(last)))), CSR);

      Instant beyond = last.plusSeconds(sign);

      assertThat(refusal(header(beyond, sign(rightMessage(beyond)))))
          .isEqualTo(ProblemType.UNAUTHENTICATED);
    }
  }

  /** A flood of made-up headers asks the database for nothing. */
  @Test
  void verify_malformedOrOld_refusedWithoutALookUp() {
    String signature = rightHeader().replaceFirst("time=[0-9]+, ", "");
    for (String header :
        List.of(
            "",
            "time=1",
            signature,
            "time=1, time=1, " + signature,
            rightHeader() + ", " + signature,
            rightHeader() + ", alg=none",
            rightHeader() + ";v=1",
            rightHeader().replace("time=", "time=-"),
            rightHeader().replace("time=", "time=9999999999999"),
            rightHeader().replace("=:", "=:!"),
            rightHeader().replace("=:", "=:A="),
            "time=1, signature=::",
            rightHeader() + " ".repeat(3_000))) {
      assertThat(refusal(header)).as(header).isEqualTo(ProblemType.UNAUTHENTICATED);
    }
    assertThat(refused("1234", rightHeader(), CSR).type()).isEqualTo(ProblemType.MALFORMED_REQUEST);
    assertThat(refusal(header(Instant.EPOCH, sign(rightMessage(Instant.EPOCH)))))
        .isEqualTo(ProblemType.UNAUTHENTICATED);
    assertThat(lookups).hasValue(0);
  }

  @Test
  void verify_grantWithdrawn_403AndOnlyTheHolderLearnsIt() {
    isGranted = false;

    assertThat(refusal(rightHeader())).isEqualTo(ProblemType.FORBIDDEN);
    assertThat(refusal(header(Fixtures.NOW, OctetString.copyOf(new byte[64]))))
        .isEqualTo(ProblemType.UNAUTHENTICATED);
  }

  @Test
  void verify_keyBlocked_409() {
    isBlocked = key -> key.equals(KEY.publicKey());

    assertThat(refusal(rightHeader())).isEqualTo(ProblemType.CONFLICT);
  }

  /** The ledger hangs: what waits is bounded, and the rest is refused at once. */
  @Test
  void verify_moreThanMayWait_503AtOnce() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    CountDownLatch shed = new CountDownLatch(64);
    RenewalProofs slow =
        new RenewalProofs(
            SERVICE,
            new RenewalProofs.Registers(
                wanted -> {
                  await(gate);
                  return Optional.empty();
                },
                (requester, profile) -> true,
                (key, requester) -> false),
            new BouncyCastleVerifier(),
            () -> Fixtures.NOW,
            outcome -> {
              if (outcome == Outcome.SHED) {
                shed.countDown();
              }
            });
    String header = rightHeader();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 100; i++) {
        var _ = threads.submit(() -> slow.verify(serialNumber.hex(), List.of(header), CSR));
      }
      assertThat(shed.await(60, TimeUnit.SECONDS)).isTrue();
      gate.countDown();
    }
  }

  private static void await(CountDownLatch gate) {
    try {
      assertThat(gate.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
