package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Made-up serial numbers in any number do not keep OCSP from those that are (docs/adr/0028). */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class OcspStormIT {

  private static final int STORM_CONNECTIONS = 60;
  private static final int HONEST_QUESTIONS = 25;
  private static final int SERIAL_OCTETS = 19;
  private static final int SERIAL_FIXED = 3;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** responseStatus successful (RFC 6960 4.2.1), behind the length of a response of 256 octets. */
  private static final int STATUS_AT = 6;

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  @Test
  void questions_besideAStormOfMadeUpSerialNumbers_areAllAnswered()
      throws IOException, InterruptedException {
    List<byte[]> honest = new ArrayList<>();
    List<String> serials = new ArrayList<>();
    for (int i = 0; i < HONEST_QUESTIONS; i++) {
      serials.add(issue("storm" + i + ".example.com"));
      honest.add(question(serials.getLast()));
    }
    byte[] pattern = honest.getFirst();
    int serialAt = indexOf(pattern, HexFormat.of().parseHex(serials.getFirst()));
    AtomicBoolean isOver = new AtomicBoolean();
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger later = new AtomicInteger();

    List<String> answers = new ArrayList<>();
    long worstMillis = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(STORM_CONNECTIONS)) {
      IntStream.range(0, STORM_CONNECTIONS)
          .forEach(
              i ->
                  threads.execute(
                      () -> {
                        while (!isOver.get()) {
                          if (!isSuccessful(post(madeUp(pattern, serialAt)))) {
                            later.incrementAndGet();
                          }
                          asked.incrementAndGet();
                        }
                      }));
      try {
        Poll.until("the storm is on", LIMIT, () -> asked.get() > 10 * STORM_CONNECTIONS);
        for (byte[] question : honest) {
          long start = System.nanoTime();
          answers.add(isSuccessful(post(question)) ? "successful" : "refused");
          worstMillis =
              Math.max(worstMillis, Duration.ofNanos(System.nanoTime() - start).toMillis());
        }
      } finally {
        isOver.set(true);
      }
    }

    Evidence.note(
        answers
            + ", the slowest in "
            + worstMillis
            + " ms, next to "
            + asked
            + " made-up questions, of which "
            + later
            + " were refused");
    assertThat(answers).hasSize(HONEST_QUESTIONS).containsOnly("successful");
  }

  private static byte[] post(byte[] request) {
    return Api.plain(TRIAL.trial().plain(0))
        .post("/ocsp", "application/ocsp-request", request)
        .is(200)
        .body();
  }

  private static boolean isSuccessful(byte[] response) {
    return response.length > STATUS_AT && response[STATUS_AT] == 0;
  }

  /** The same question about another serial number of this CA's layout and the same week. */
  private static byte[] madeUp(byte[] pattern, int serialAt) {
    byte[] request = pattern.clone();
    byte[] random = new byte[SERIAL_OCTETS - SERIAL_FIXED];
    ThreadLocalRandom.current().nextBytes(random);
    System.arraycopy(random, 0, request, serialAt + SERIAL_FIXED, random.length);
    return request;
  }

  private static int indexOf(byte[] octets, byte[] part) {
    return IntStream.rangeClosed(0, octets.length - part.length)
        .filter(i -> Arrays.equals(octets, i, i + part.length, part, 0, part.length))
        .findFirst()
        .orElseThrow();
  }

  private static String issue(String name) {
    Csr csr = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, name);
    return TRIAL
        .trial()
        .enroller()
        .enroll("tls-server", csr.pemBytes())
        .is(201)
        .json()
        .path("serial")
        .asString();
  }

  private static byte[] question(String serial) throws IOException {
    Path file = Csr.write(TRIAL.trial().folder(), "");
    String chain = TRIAL.trial().read("chain.pem");
    String end = "-----END CERTIFICATE-----";
    Path issuer =
        Csr.write(
            TRIAL.trial().folder(), chain.substring(0, chain.indexOf(end) + end.length()) + "\n");
    Program.of(
            "openssl",
            "ocsp",
            "-issuer",
            issuer,
            "-serial",
            "0x" + serial,
            "-no_nonce",
            "-reqout",
            file)
        .run();
    return Files.readAllBytes(file);
  }
}
