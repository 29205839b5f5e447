package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A token that hangs, goes away, refuses the PIN or has lost its key. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TokenIT {

  /** Small, so that the test can fill the line by hand. */
  private static final int PLACES = 8;

  /** For how long the waiters wait; their orders hold the line until their claims end. */
  private static final Duration WAIT = Duration.ofSeconds(3);

  /** Below a claim's 15 s. */
  private static final Duration FULL_WITHIN = Duration.ofSeconds(12);

  /** Milliseconds, on any machine less than the seconds that a wait for the token would take. */
  private static final Duration REFUSED_WITHIN = Duration.ofSeconds(1);

  private static final Duration ALL_ISSUED_WITHIN = Duration.ofSeconds(60);
  private static final Duration NOTICED_WITHIN = Duration.ofSeconds(60);

  private static final List<String> CERTIFICATE_TYPES =
      List.of(Api.JSON, "application/pem-certificate-chain", "application/pkix-cert");

  private static final int WARM_UP = 60;

  /** As many as surely fit into the time for which the orders hold the line. */
  private static final int MEASURED = 30;

  @RegisterExtension
  static final TrialExtension TRIAL =
      TrialExtension.own(
          folder -> {
            SoftToken token = SoftToken.make(folder.resolve("token"));
            return Trial.Options.token(1, token, token.hangingModule())
                .with(
                    Map.of(
                        "SLUICE_LINE_PLACES",
                        String.valueOf(PLACES),
                        // The token is not to be taken for lost while the refusals are measured.
                        "SLUICE_HSM_CALL_TIMEOUT",
                        "60s"));
          });

  private static SoftToken token() {
    return new SoftToken(TRIAL.trial().folder().resolve("token"));
  }

  private static Api enroller() {
    return TRIAL.trial().enroller();
  }

  private static Csr csr() {
    return Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "token.example.com");
  }

  private static int readiness() {
    return Api.plain(TRIAL.trial().management(0)).get("/actuator/health/readiness").status();
  }

  @AfterEach
  void letGo() {
    token().release();
  }

  @Test
  @Order(1)
  void hungToken_waitersGet202_othersAreRefusedAtOnce_nothingElseIsDisturbed() throws Exception {
    byte[] csr = csr().pemBytes();
    String issued = enroller().enroll("tls-server", csr).is(201).header("Location");
    // The first requests of a JVM run interpreted: they are no measure.
    for (int i = 0; i < WARM_UP; i++) {
      enroller().enroll("tls-server", new byte[0]).is(400);
    }
    token().hang();

    List<String> orders = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Answer>> waiting = new ArrayList<>();
      IntStream.range(0, PLACES).forEach(i -> waiting.add(threads.submit(waiter(i, csr))));
      // Some places are kept for other lanes and other requesters.
      Poll.until(
          "the line takes no more",
          FULL_WITHIN,
          () -> placesTaken() + waiting.stream().filter(TokenIT::isRefused).count() == PLACES);

      measureRefusals(csr);
      assertThat(enroller().get(issued).status()).isEqualTo(200);
      assertThat(readiness()).isEqualTo(200);

      for (Future<Answer> waiter : waiting) {
        if (waiter.get().status() != 202) {
          assertThat(waiter.get().header("Retry-After")).isNotBlank();
        } else {
          orders.add(accepted(waiter));
        }
      }
      assertThat(orders).hasSizeGreaterThanOrEqualTo(PLACES / 2);
    }
    assertThat(enroller().get("/v1/orders/" + orders.getFirst()).json().path("status").asString())
        .isEqualTo("pending");

    String cancelled = "/v1/orders/" + orders.removeLast();
    assertThat(enroller().delete(cancelled).is(200).json().path("status").asString())
        .isEqualTo("failed");

    token().release();

    Duration took = Poll.until("all orders are issued", ALL_ISSUED_WITHIN, () -> areIssued(orders));
    assertThat(enroller().get(cancelled).is(200).json().path("status").asString())
        .isEqualTo("failed");
    enroller().delete(cancelled).is(200);
    enroller().delete("/v1/orders/" + orders.getFirst()).isProblem(409, "/conflict");
    Evidence.note(
        "hung token let go: %d orders issued after %s"
            .formatted(orders.size(), Evidence.millis(took)));
    enroller().enroll("tls-server", csr).is(201);
  }

  private static Callable<Answer> waiter(int number, byte[] csr) {
    String accept = CERTIFICATE_TYPES.get(number % CERTIFICATE_TYPES.size());
    String wait = "wait=" + WAIT.toSeconds();
    return () -> enroller().with("Prefer", wait, "Accept", accept).enroll("device", csr);
  }

  private static boolean isRefused(Future<Answer> waiter) {
    return waiter.state() == Future.State.SUCCESS && waiter.resultNow().status() != 202;
  }

  /** An order is answered as JSON, also to a client that accepts only a certificate. */
  private static String accepted(Future<Answer> waiter)
      throws InterruptedException, ExecutionException {
    Answer answer = waiter.get().is(202);
    assertThat(answer.header("Retry-After")).isNotBlank();
    assertThat(answer.header("Content-Type")).startsWith(Api.JSON);
    assertThat(answer.json().path("status").asString()).isEqualTo("pending");
    return answer.locationEnd();
  }

  private static int placesTaken() {
    int taken = 0;
    for (var lane : enroller().get("/v1/capacity").is(200).json().path("lanes")) {
      taken += lane.path("depth").asInt();
    }
    return taken;
  }

  private static boolean areIssued(List<String> orders) {
    return orders.stream()
        .allMatch(
            id ->
                enroller()
                    .get("/v1/orders/" + id)
                    .is(200)
                    .json()
                    .path("status")
                    .asString()
                    .equals("issued"));
  }

  private static void measureRefusals(byte[] csr) {
    List<Duration> times = new ArrayList<>();
    Api client = enroller();
    for (int i = 0; i < MEASURED; i++) {
      // Tomcat closes the connection with every 503: a new one is made outside the measure.
      client.get("/v1/profiles").is(200);
      long start = System.nanoTime();
      Answer refused = client.enroll("tls-server", csr);
      times.add(Duration.ofNanos(System.nanoTime() - start));
      // Whoever has most of the line is over its share, if anybody else asked of late.
      if (refused.status() == 429) {
        refused.isProblem(429, "quota-exceeded");
      } else {
        refused.isProblem(503, "temporary-reduced-capacity");
      }
      assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 300);
    }
    List<Duration> sorted = times.stream().sorted().toList();
    // What is held is that a refusal waits for nothing, least of all for the token, which hangs for
    // seconds: the median, which a busy machine moves little. Tails are reported, not judged.
    Duration median = sorted.get(sorted.size() / 2);
    Evidence.note(
        "refused beyond the bound while the token hangs: %d, median %s, p95 %s, max %s"
            .formatted(
                sorted.size(),
                Evidence.millis(median),
                Evidence.millis(sorted.get(sorted.size() * 95 / 100)),
                Evidence.millis(sorted.getLast())));
    assertThat(median).isLessThanOrEqualTo(REFUSED_WITHIN);
  }

  @Test
  @Order(2)
  void removedToken_503UntilItIsBack_thenIssuesWithoutRestart() throws IOException {
    byte[] csr = csr().pemBytes();
    enroller().enroll("tls-server", csr).is(201);
    Path away = token().tokens().resolveSibling("away");
    Files.move(token().tokens(), away);
    try {
      Duration noticed =
          Poll.until(
              "enrollment is refused",
              NOTICED_WITHIN,
              () -> enroller().with("Prefer", "wait=1").enroll("tls-server", csr).status() == 503);
      Answer refused = enroller().enroll("tls-server", csr);
      refused.isProblem(503, "/signer-unavailable");
      assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 70);
      Poll.until("the node is unready", NOTICED_WITHIN, () -> readiness() == 503);
      Evidence.note("removed token: refused after " + Evidence.millis(noticed));
    } finally {
      Files.move(away, token().tokens());
    }

    Duration back =
        Poll.until(
            "it issues again",
            NOTICED_WITHIN,
            () -> enroller().enroll("tls-server", csr).status() == 201);
    Evidence.note("token back: issues again after " + Evidence.millis(back));
    Poll.until("the node is ready", NOTICED_WITHIN, () -> readiness() == 200);
    Poll.until(
        "nothing stays pending",
        ALL_ISSUED_WITHIN,
        () -> LedgerRows.pendingIntents(TRIAL.trial()) == 0);
  }

  @Test
  @Order(3)
  void wrongPin_upFailsWithOneLine() throws IOException {
    TRIAL.trial().down().ok();
    String right = Files.readString(token().pinFile());
    Files.writeString(token().pinFile(), "1111111\n");
    try {
      assertFails(TRIAL.trial(), "PIN");
    } finally {
      Files.writeString(token().pinFile(), right);
    }
  }

  @Test
  @Order(4)
  void wrongPin_firstUp_failsInTheCeremonyWithOneLine() throws IOException {
    Path folder = TrialExtension.newFolder();
    SoftToken token = SoftToken.make(folder.resolve("token"));
    Files.writeString(token.pinFile(), "1111111\n");
    try (Trial trial = new Trial(folder, Trial.Options.token(1, token, Checkout.softHsm()))) {
      assertFails(trial, "PIN");
    }
  }

  @Test
  @Tag("nightly")
  @Order(5)
  void missingKey_upFailsWithOneLine() throws IOException {
    TRIAL.trial().down().ok();
    Trial.delete(token().tokens());
    Files.createDirectory(token().tokens());
    token().initialize();

    assertFails(TRIAL.trial(), "key");
  }

  @Test
  @Tag("nightly")
  @Order(6)
  void missingToken_upFailsWithOneLine() throws IOException {
    TRIAL.trial().down().ok();
    Trial.delete(token().tokens());
    Files.createDirectory(token().tokens());

    assertFails(TRIAL.trial(), SoftToken.LABEL);
  }

  /** Status 1, no ready line, and one last line that names the trouble and no secret. */
  private static void assertFails(Trial trial, String word) {
    Program.Ended up = trial.up();

    assertThat(up.status()).as(up.toString()).isEqualTo(1);
    assertThat(up.text()).doesNotContain("ready ");
    List<String> telling =
        up.errors()
            .lines()
            .filter(line -> line.contains("failed") || line.contains("ended while starting"))
            .toList();
    assertThat(telling).as(up.toString()).hasSize(1);
    assertThat(telling.getFirst()).contains(word).doesNotContain("1111111", "Exception");
    Evidence.note("up fails: " + telling.getFirst());
  }
}
