package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What clients without a right can make a node write, in its database and in its log. */
class DenialFloodIT {

  @RegisterExtension
  static final TrialExtension TRIAL = TrialExtension.own(folder -> Trial.Options.nodes(1));

  private static final int CONNECTIONS = 100;
  private static final Duration FLOOD = Duration.ofSeconds(18);

  /** A slow machine floods for longer, to send as many. */
  private static final long FLOOD_LEAST = 1_200;

  private static final Duration FLOOD_MAX = Duration.ofMinutes(3);
  private static final int RENEWALS = 20;
  private static final long DATABASE_GROWTH_MAX = 5L << 20;

  /** 1,000 lines a second of failed requests, of some 400 octets each. */
  private static final long LOG_GROWTH_MAX = 12L << 20;

  private static final Duration WRITTEN_WITHIN = Duration.ofSeconds(20);
  private static final String HOST = "flooded.example.com";

  private final AtomicLong sent = new AtomicLong();

  /** Methods of 15 KB and paths that are new each time, by clients with and without a token. */
  private void flood(int connection) {
    Api enroller = TRIAL.trial().enroller();
    Api stranger = enroller.anonymous().with(Api.bearer("x".repeat(43)));
    long begun = System.nanoTime();
    while (goesOn(System.nanoTime() - begun)) {
      long number = sent.incrementAndGet();
      String word = "M" + connection + "X" + number;
      int status =
          switch ((int) (number % 4)) {
            case 0 ->
                enroller
                    .send(word.repeat(1_100), "/v1/credentials", BodyPublishers.noBody())
                    .status();
            case 1 -> enroller.get("/v1/credentials/" + word).status();
            case 2 -> enroller.get("/unmapped/" + word).status();
            default -> stranger.get("/v1/orders/" + word).status();
          };
      assertThat(status).isIn(401, 403, 404, 405, 503);
    }
  }

  private boolean goesOn(long nanos) {
    return nanos < FLOOD.toNanos() || (sent.get() < FLOOD_LEAST && nanos < FLOOD_MAX.toNanos());
  }

  private static String renew() {
    Api enroller = TRIAL.trial().enroller();
    Csr first = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, HOST);
    Csr next = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, HOST);
    String old = enroller.enroll("tls-server", first.pemBytes()).is(201).header("Location");
    return enroller.post(old + "/renewal", Api.PKCS10, next.pemBytes()).is(201).locationEnd();
  }

  private static long databaseOctets() {
    return LedgerRows.count(TRIAL.trial(), "SELECT pg_database_size(current_database())");
  }

  private static long logOctets() throws IOException {
    return Files.size(TRIAL.trial().data().resolve("node-0.log"));
  }

  @Test
  void deniedRequests_besideRenewals_boundedAndNoRenewalWithoutItsRow() throws Exception {
    String first = renew();
    long databaseBefore = databaseOctets();
    long logBefore = logOctets();
    List<String> renewed = new ArrayList<>(List.of(first));
    List<Double> heap = new ArrayList<>();
    long begun = System.nanoTime();

    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> floods = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        int connection = i;
        floods.add(threads.submit(() -> flood(connection)));
      }
      for (int i = 0; i < RENEWALS; i++) {
        renewed.add(renew());
        heap.add(new NodeProcess(TRIAL.trial()).heapUsed());
      }
      for (Future<?> flood : floods) {
        flood.get();
      }
    }

    Duration flooded = Duration.ofNanos(System.nanoTime() - begun);
    Poll.until(
        "every renewal has its row",
        WRITTEN_WITHIN,
        () -> {
          String rows =
              String.join(
                  "\n",
                  LedgerRows.texts(
                      TRIAL.trial(),
                      "SELECT content FROM audit_event WHERE kind = 'certificate.renewal'"));
          return renewed.stream().allMatch(rows::contains);
        });
    long database = databaseOctets() - databaseBefore;
    long log = logOctets() - logBefore;
    Evidence.note(
        "%d denied requests in %d s from %d connections: database +%.1f MB, log +%.1f MB, heap %.0f to %.0f MB"
            .formatted(
                sent.get(),
                flooded.toSeconds(),
                CONNECTIONS,
                database / 1e6,
                log / 1e6,
                Collections.min(heap) / 1e6,
                Collections.max(heap) / 1e6));
    assertThat(sent.get()).isGreaterThan(1_000);
    assertThat(database).isLessThan(DATABASE_GROWTH_MAX);
    assertThat(log).isLessThan(LOG_GROWTH_MAX);
    assertThat(
            LedgerRows.count(
                TRIAL.trial(),
                "SELECT count(*) FROM audit_event WHERE kind = 'audit.gap'"
                    + " OR length(content) > 2048 AND kind LIKE '%.denied'"))
        .isZero();
    assertThat(TRIAL.trial().read("node-0.log") + TRIAL.trial().read("node-0.out"))
        .doesNotContain("OutOfMemoryError");
  }

  /**
   * The id of a problem leads to the request's line: who, what, how long. The flood of another test
   * may have used up the lines of this second, so the request is repeated.
   */
  @Test
  void refusedRequest_itsIdIsInTheAccessLog() {
    Api enroller = TRIAL.trial().enroller();
    Set<String> ids = new HashSet<>();

    Poll.until(
        "a request's line is written",
        WRITTEN_WITHIN,
        () -> {
          boolean isWritten =
              TRIAL.trial().read("node-0.log").lines().anyMatch(line -> isLineOf(ids, line));
          if (!isWritten) {
            Answer refused = enroller.enroll("tls-server", new byte[] {0x30, 0}).is(400);
            ids.add(String.valueOf(refused.header("X-Request-Id")));
          }
          return isWritten;
        });
  }

  private static boolean isLineOf(Set<String> ids, String line) {
    return line.contains("/v1/certificates")
        && line.contains("\"status\":400")
        && line.contains("\"requester\"")
        && ids.stream().anyMatch(line::contains);
  }

  /** The trail says for whom a certificate was issued. */
  @Test
  void issuedCertificate_requesterIsInTheTrail() {
    String serial = renew();

    Poll.until(
        "the certificate's row is written",
        WRITTEN_WITHIN,
        () ->
            LedgerRows.texts(
                    TRIAL.trial(),
                    "SELECT content FROM audit_event WHERE kind = 'certificates.issued'")
                .stream()
                .anyMatch(row -> row.contains(serial) && row.contains("\"requester\":\"")));
  }
}
