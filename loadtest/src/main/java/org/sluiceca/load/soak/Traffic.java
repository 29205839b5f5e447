package org.sluiceca.load.soak;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sluiceca.load.soak.judge.ExpectedState;
import org.sluiceca.load.soak.judge.Findings;
import org.sluiceca.load.soak.judge.Lives;
import org.sluiceca.load.soak.judge.Rule;

/**
 * Issues certificates at a rate and lives with each: some stay good, some are revoked, some are put
 * on hold and released, or revoked from hold. What is asked for is asked again, of another node,
 * until it is confirmed.
 */
final class Traffic {

  private static final Duration LIMIT = Duration.ofSeconds(8);
  private static final Duration AGAIN = Duration.ofMillis(300);
  private static final Pattern SHARD = Pattern.compile("/crl/issuing(/[0-9]+)?\\.crl");
  private static final String DISTRIBUTION_POINTS = "2.5.29.31";

  /** Certificates that wait for something to happen to them; more than come in two quiet spells. */
  private static final int LIVES_MAX = 2_000;

  /** One that is urgent for CRLs, and not keyCompromise: requests share a pool of keys. */
  private static final List<String> REASONS =
      List.of("cACompromise", "superseded", "unspecified", "affiliationChanged");

  private final Access door;
  private final List<String> requests;
  private final ExpectedState expected;
  private final Lives lives;
  private final Sample sample;
  private final Random random;
  private final Findings findings;
  private final Semaphore places = new Semaphore(LIVES_MAX);
  private final AtomicInteger turn = new AtomicInteger();
  private final Map<End, Long> ends = new ConcurrentHashMap<>();
  private volatile boolean isBusy = true;
  private volatile boolean isOver;

  /** What came of a request, in words for the page of results. */
  enum End {
    ISSUED("issued"),
    /** Holds among them. */
    REVOKED("revoked"),
    RELEASED("released"),
    /** It came to another end than it should, or to none. */
    REFUSED("not answered as asked");

    private final String words;

    End(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  /**
   * How to reach the nodes.
   *
   * @param officer a token that may revoke anything
   */
  record Access(HttpClient client, int httpsPort, String requester, String officer) {}

  /** Sends {@code requests}, PKCS#10 in base64, in turns. */
  Traffic(
      Access door,
      List<String> requests,
      ExpectedState expected,
      Lives lives,
      Sample sample,
      Random random,
      Findings findings) {
    this.door = door;
    this.requests = requests;
    this.expected = expected;
    this.lives = lives;
    this.sample = sample;
    this.random = random;
    this.findings = findings;
  }

  /** Sets whether certificates are revoked, held and released now, as well as issued. */
  void busy(boolean is) {
    isBusy = is;
  }

  /** Begins no more lives, and ends those that wait. */
  void end() {
    isOver = true;
  }

  boolean isOver() {
    return isOver;
  }

  /** Returns how many requests came to that end. */
  long count(End end) {
    return ends.getOrDefault(end, 0L);
  }

  private void note(End end) {
    var ignored = ends.merge(end, 1L, Long::sum);
  }

  /** One certificate from its request on; returns when nothing more will happen to it. */
  void live() {
    if (isOver || !places.tryAcquire()) {
      return;
    }
    try {
      int certificate = enroll();
      if (certificate >= 0) {
        suffer(certificate);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) { // Its thread ends here: only this reports it.
      findings.breach(Rule.UNREADABLE, "a certificate's life ended: " + e);
      int ignored = refuse();
    } finally {
      places.release();
    }
  }

  private void suffer(int certificate) throws InterruptedException {
    int fate = next(10);
    if (fate < 5) {
      pause(next(15));
      sample.note(certificate);
      pause(3);
      revoke(certificate, REASONS.get(next(REASONS.size())));
    } else if (fate < 7) {
      pause(next(10));
      int tries = revoke(certificate, "certificateHold");
      pause(3 + next(20));
      // A hold that was asked for twice may come again after its release: who knows where the first
      // request still waits.
      if (tries == 1 && release(certificate) == 1 && next(2) == 0) {
        pause(next(10));
        revoke(certificate, "cessationOfOperation");
      } else if (tries > 1) {
        revoke(certificate, "superseded");
      }
    }
  }

  private int enroll() throws InterruptedException {
    int number = turn.getAndIncrement();
    byte[] csr = Base64.getDecoder().decode(requests.get(number % requests.size()));
    HttpRequest request =
        to("/v1/certificates?profile=tls-server", door.requester())
            .header("Content-Type", "application/pkcs10")
            .header("Accept", "application/pkix-cert")
            .POST(BodyPublishers.ofByteArray(csr))
            .build();
    try {
      HttpResponse<byte[]> answer = door.client().send(request, BodyHandlers.ofByteArray());
      return answer.statusCode() == 201 ? given(answer.body()) : refuse();
    } catch (IOException e) {
      return refuse();
    }
  }

  /** Notes a certificate that was answered, and returns its number; -1 if it is none of ours. */
  int given(byte[] der) {
    try {
      X509Certificate certificate =
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(der));
      int given = expected.issued(certificate.getSerialNumber().toString(16), scope(certificate));
      note(End.ISSUED);
      sample.note(given);
      findings.check(Rule.UNREADABLE, true, "");
      return given;
    } catch (GeneralSecurityException e) {
      findings.breach(Rule.UNREADABLE, "answered 201: " + e);
      return refuse();
    }
  }

  private int refuse() {
    note(End.REFUSED);
    return -1;
  }

  private static String scope(X509Certificate certificate) throws GeneralSecurityException {
    byte[] points = certificate.getExtensionValue(DISTRIBUTION_POINTS);
    Matcher found =
        SHARD.matcher(points == null ? "" : new String(points, StandardCharsets.ISO_8859_1));
    if (!found.find()) {
      throw new GeneralSecurityException("it names no CRL");
    }
    return found.group();
  }

  /** Returns how many requests it took, 0 if it was never confirmed. */
  private int revoke(int certificate, String reason) throws InterruptedException {
    return ask(certificate, false, "{\"reason\":\"" + reason + "\"}");
  }

  private int release(int certificate) throws InterruptedException {
    return ask(certificate, true, "");
  }

  private int ask(int certificate, boolean isRelease, String body) throws InterruptedException {
    String serial = expected.serial(certificate);
    String path =
        "/v1/certificates/" + (serial.length() % 2 == 0 ? "" : "0") + serial + "/revocation";
    expected.asks(certificate, isRelease, Instant.now());
    for (int tries = 1; !isOver || tries < 20; tries++) {
      HttpRequest.Builder request = to(path, door.officer());
      request =
          isRelease
              ? request.DELETE()
              : request
                  .header("Content-Type", "application/json")
                  .POST(BodyPublishers.ofString(body));
      try {
        HttpResponse<String> answer = door.client().send(request.build(), BodyHandlers.ofString());
        if (answer.statusCode() == 200) {
          expected.confirmed(certificate, Instant.now());
          note(isRelease ? End.RELEASED : End.REVOKED);
          sample.note(certificate);
          return tries;
        }
      } catch (IOException e) {
        // Perhaps it was done: asking again gives the same.
        Thread.onSpinWait();
      }
      note(End.REFUSED);
      Thread.sleep(AGAIN);
    }
    return 0;
  }

  private HttpRequest.Builder to(String path, String token) {
    List<Integer> living = lives.living();
    int node = living.isEmpty() ? 0 : living.get(next(living.size()));
    return HttpRequest.newBuilder(
            URI.create("https://localhost:" + (door.httpsPort() + node) + path))
        .timeout(LIMIT)
        .header("Authorization", "Bearer " + token);
  }

  /** Waits {@code seconds}, and then until certificates are revoked at all. */
  private void pause(int seconds) throws InterruptedException {
    for (long tenths = 10L * seconds; !isOver && (tenths > 0 || !isBusy); tenths--) {
      Thread.sleep(Duration.ofMillis(100));
    }
  }

  private int next(int below) {
    synchronized (random) {
      return random.nextInt(below);
    }
  }
}
