package org.sluiceca.api.enrollment.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluiceca.api.issuance.IntentFinisher;
import org.sluiceca.api.issuance.IssuanceExecutor;
import org.sluiceca.api.issuance.IssuanceParts;
import org.sluiceca.api.issuance.IssuanceService;
import org.sluiceca.api.issuer.IssuerChains;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.admit.LinePermit;
import org.sluiceca.core.der.Pem;
import org.sluiceca.core.enroll.Enrollment;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.FakeSigner;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.InMemoryLedgerStore;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.testkit.WholeLine;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.x509.CertificateDer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A line of a batch on the whole line, over fakes of its ports. */
@Timeout(180)
class LineEnrollmentTest {

  private static final SoftwareKey KEY = SoftwareKey.named("issuer-ec-p256");
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final IssuerChains CHAINS =
      new IssuerChains(new IssuerCatalog(List.of(issuer())), JSON);
  private static final String CSR =
      Pem.write("CERTIFICATE REQUEST", CsrFixture.file("openssl-ec-p256").encoded());

  private static Issuer issuer() {
    Issuer bare = Fixtures.issuing(KEY);
    return new Issuer(
        bare.name(),
        bare.subject(),
        bare.subjectPublicKeyInfo(),
        bare.keyIdentifier(),
        bare.validity(),
        List.of(
            CertificateDer.of(new byte[] {0x30, 0x01, 0x05}),
            CertificateDer.of(new byte[] {0x30, 0x01, 0x06})),
        bare.publications(),
        bare.constraints());
  }

  private final ManualTime time = new ManualTime(Fixtures.NOW);
  private final InMemoryLedgerStore store = new InMemoryLedgerStore(time, time);

  /** Of whose places the bulk lane has one. */
  private final Admission admission = new Admission(4, () -> true, time, new SplittableRandom(1));

  private final Enrollment line =
      WholeLine.of(
          KEY,
          admission,
          store,
          new FakeSigner(Fixtures.ISSUING, KEY, SoftwareKey.named("ec-p256")),
          time,
          time,
          this::hear);
  private final CountDownLatch shed = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);

  @Test
  void enroll_sound_issuedAndAgainByItsKey() throws Exception {
    try (IssuanceExecutor executor = executor()) {
      LineResult first = enrollment(executor).enroll(Fixtures.requester(), keyed(), false, over);
      LineResult second = enrollment(executor).enroll(Fixtures.requester(), keyed(), false, over);

      assertThat(first.status()).isEqualTo(201);
      assertThat(first.id()).isEqualTo("one");
      assertThat(first.replayed()).isNull();
      assertThat(first.certificate()).startsWith("-----BEGIN CERTIFICATE-----");
      assertThat(second.replayed()).isTrue();
      // A client that enrolls by lines needs what one that enrolls by requests gets.
      for (LineResult result : List.of(first, second)) {
        JsonNode written = JSON.readTree(JSON.writeValueAsBytes(result));
        assertThat(written.path("chain").valueStream().map(JsonNode::asString))
            .containsExactlyElementsOf(CHAINS.of(Fixtures.issuing(KEY).name()).pem());
      }
      assertThat(second.serial()).isEqualTo(first.serial());
    }
  }

  /** Backpressure instead of a refusal. */
  @Test
  // The place is asked for again after some seconds.
  @Tag("slow")
  void enroll_noPlace_waitsUntilThereIsOne() throws Exception {
    LinePermit taken = takeThePlace();
    try (IssuanceExecutor executor = executor();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<LineResult> result =
          threads.submit(
              () -> enrollment(executor).enroll(Fixtures.requester(), keyed(), false, over));
      assertThat(shed.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(result.isDone()).isFalse();

      taken.close();

      assertThat(result.get(60, TimeUnit.SECONDS).status()).isEqualTo(201);
    }
  }

  @Test
  void enroll_noPlaceAndNobodyWaits_refusedAtOnce() throws Exception {
    LinePermit taken = takeThePlace();
    over.countDown();
    try (IssuanceExecutor executor = executor()) {
      LineResult result = enrollment(executor).enroll(Fixtures.requester(), keyed(), false, over);

      assertThat(result.status()).isEqualTo(503);
      assertThat(result.retryAfter()).isPositive();
      assertThat(result.problem()).isNotNull();
    }
    taken.close();
  }

  /** A node that stops does not keep its clients for a minute. */
  @Test
  @Timeout(40)
  void enroll_nodeStops_saidAtOnce() throws Exception {
    admission.drain();
    try (IssuanceExecutor executor = executor()) {
      LineResult result = enrollment(executor).enroll(Fixtures.requester(), keyed(), false, over);

      assertThat(result.status()).isEqualTo(503);
      assertThat(String.valueOf(result.problem())).contains("shutting-down");
    }
  }

  private void hear(CaEvent event) {
    if (event instanceof CaEvent.RequestShed) {
      shed.countDown();
    }
  }

  private LinePermit takeThePlace() {
    if (admission.admit(
            Lane.BULK, new RequesterId("other"), Deadline.after(Duration.ofSeconds(10), time))
        instanceof LinePermit admitted) {
      return admitted;
    }
    throw new AssertionError("no place");
  }

  private IssuanceExecutor executor() {
    return new IssuanceExecutor(
        new IntentFinisher(line, event -> {}, System::nanoTime), System::nanoTime);
  }

  private LineEnrollment enrollment(IssuanceExecutor executor) {
    return new LineEnrollment(
        new IssuanceService(line, IssuanceParts.of(executor)), CHAINS, JSON, System::nanoTime);
  }

  private static BatchLines.Line keyed() {
    String json =
        JsonMapper.shared()
            .writeValueAsString(
                Map.of(
                    "id",
                    "one",
                    "profile",
                    Fixtures.tlsServer().name().value(),
                    "csr",
                    CSR,
                    "idempotencyKey",
                    "k"));
    return new BatchLines.Line.Text(1, json, json.length());
  }
}
