package org.sluiceca.load.renewals;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.sluiceca.load.acme.Answer;
import org.sluiceca.load.acme.CertificateId;
import org.sluiceca.load.acme.Jws;
import org.sluiceca.load.call.Wait;
import org.sluiceca.load.cli.TrialException;
import tools.jackson.databind.JsonNode;

/**
 * A client of ACME that gets one certificate and renews it once: at the time that renewal
 * information suggests, asked for again as often as it says (RFC 9773 4.2, 4.3), or at two thirds
 * of the life. Refusals with Retry-After are obeyed. Used by one thread.
 */
final class HerdClient {

  private static final Duration LOOK = Duration.ofMillis(500);

  private final AcmeSession session;
  private final HerdTerms terms;
  private final int number;
  private final String name;
  private final String csr;
  private final SplittableRandom random;

  /**
   * How it went.
   *
   * @param first the serial number of the first certificate, in hexadecimal digits
   * @param asked when the first request to renew was sent
   * @param renewed when the second certificate was there
   * @param expires when the first one ends
   * @param polls how often renewal information was asked for
   */
  record Renewal(
      String first, String second, Instant asked, Instant renewed, Instant expires, int polls) {}

  /**
   * Of its own name and key.
   *
   * @param csr in base64, for {@code name}
   */
  HerdClient(AcmeSession session, HerdTerms terms, int number, String name, String csr) {
    this.session = session;
    this.terms = terms;
    this.number = number;
    this.name = name;
    this.csr = Jws.encoded(Base64.getDecoder().decode(csr));
    this.random = new SplittableRandom(number);
  }

  /** Gets the first certificate; blocks until it is there. */
  X509Certificate enroll() throws IOException {
    return enroll(Map.of());
  }

  /** Renews a certificate when it is time; blocks until it has. */
  Renewal renew(X509Certificate first, boolean isGuided) throws IOException {
    int polls = isGuided ? awaitWindow(first) : 0;
    if (!isGuided) {
      Instant begins = first.getNotBefore().toInstant();
      awaitTime(begins.plus(life(first).multipliedBy(2).dividedBy(3)));
    }
    Instant asked = Instant.now();
    X509Certificate second = enroll(Map.of("replaces", CertificateId.of(first)));
    return new Renewal(
        first.getSerialNumber().toString(16),
        second.getSerialNumber().toString(16),
        asked,
        Instant.now(),
        first.getNotAfter().toInstant(),
        polls);
  }

  /** Returns how often it asked. */
  private int awaitWindow(X509Certificate certificate) throws IOException {
    for (int polls = 1; ; polls++) {
      Answer answer =
          session.get(node(), session.url("renewalInfo") + "/" + CertificateId.of(certificate));
      Instant next =
          Instant.now().plus(answer.retryAfter().orElseThrow(() -> unexpected("poll", answer)));
      if (answer.status() == 200) {
        JsonNode window = answer.json().path("suggestedWindow");
        Instant start = Instant.parse(window.path("start").asString());
        Instant end = Instant.parse(window.path("end").asString());
        long width = Duration.between(start, end).toMillis();
        Instant chosen = start.plusMillis((long) (random.nextDouble() * width));
        // RFC 9773 4.2: sleep until then, unless the next poll comes before.
        if (chosen.isBefore(next)) {
          awaitTime(chosen);
          return polls;
        }
      }
      awaitTime(next);
    }
  }

  private X509Certificate enroll(Map<String, String> more) throws IOException {
    Map<String, Object> wanted = new HashMap<>(more);
    wanted.put("identifiers", List.of(Map.of("type", "dns", "value", name)));
    wanted.put("profile", HerdTerms.PROFILE);
    Answer order = accepted(session.url("newOrder"), wanted);
    String location = order.header("location").orElseThrow(() -> unexpected("newOrder", order));
    JsonNode body = accepted(order.json().path("finalize").asString(), Map.of("csr", csr)).json();
    while (body.path("status").asString().equals("processing")) {
      Wait.pause(LOOK);
      body = accepted(location, null).json();
    }
    String chain = accepted(body.path("certificate").asString(), null).body();
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(
                  new ByteArrayInputStream(chain.getBytes(StandardCharsets.US_ASCII)));
    } catch (GeneralSecurityException e) {
      throw new TrialException("no certificate: " + chain, e);
    }
  }

  /** Sends a request until it is not refused for load. */
  private Answer accepted(String url, @Nullable Object payload) {
    while (true) {
      Answer answer = session.post(node(), url, payload);
      if (answer.status() < 300) {
        return answer;
      }
      if (answer.status() != 429 && answer.status() != 503) {
        throw unexpected(url, answer);
      }
      Wait.pause(answer.retryAfter().orElseThrow(() -> unexpected(url, answer)));
    }
  }

  private int node() {
    return number % terms.nodes();
  }

  private static TrialException unexpected(String what, Answer answer) {
    return new TrialException(what + ": " + answer.status() + " " + answer.body());
  }

  private static void awaitTime(Instant time) {
    Duration left = Duration.between(Instant.now(), time);
    if (left.isPositive()) {
      Wait.pause(left);
    }
  }

  private static Duration life(X509Certificate certificate) {
    return Duration.between(
        certificate.getNotBefore().toInstant(), certificate.getNotAfter().toInstant());
  }
}
