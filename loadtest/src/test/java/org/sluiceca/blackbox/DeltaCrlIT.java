package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CRLReason;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Delta CRLs of two nodes, judged by openssl and Bouncy Castle; one node dies on the way. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DeltaCrlIT {

  private static final String COMPLETE = "/crl/issuing.crl";
  private static final String DELTA = "/crl/issuing/delta.crl";
  private static final String DELTA_INDICATOR = "2.5.29.27";
  private static final String CRL_NUMBER = "2.5.29.20";
  private static final String FRESHEST = "2.5.29.46";

  /** An interval, and as long as a node leaves it to the other, and some more. */
  private static final Duration PUBLISHED_WITHIN = Duration.ofMinutes(3);

  private static final Map<Integer, Api> CLIENTS = new ConcurrentHashMap<>();

  @RegisterExtension
  static final TrialExtension TRIAL =
      TrialExtension.own(
          folder ->
              new Trial.Options(
                  2,
                  List.of("--public-url", TrialExtension.PUBLIC_URL),
                  Map.of(
                      "SLUICE_CRL_DELTA_INTERVAL",
                      "10s",
                      "SLUICE_CRL_DIRECTORY",
                      folder.resolve("web").toString())));

  @Test
  @Order(1)
  void deltas_ofTwoNodes_makeOfABaseWhatACompleteCrlSays() {
    // The first CRL came in its turn: it is the base of what follows for an hour.
    X509CRL base = fetch(0, COMPLETE);
    assertThat(text(base.getExtensionValue(FRESHEST))).endsWith(TrialExtension.PUBLIC_URL + DELTA);
    X509Certificate good = enroll();
    X509Certificate bad = enroll();
    X509Certificate held = enroll();
    revoke(0, held, "certificateHold");
    Poll.until("on hold", PUBLISHED_WITHIN, () -> entry(0, COMPLETE, held) != null);
    X509CRL later = fetch(0, COMPLETE);
    officer(0).delete(path(held) + "/revocation").is(200);
    revoke(1, bad, "superseded");

    Duration took =
        Poll.until("on the delta", PUBLISHED_WITHIN, () -> entry(1, DELTA, bad) != null);
    Evidence.append("revocation.txt", "on the delta CRL of node 1 after " + took);
    X509CRL delta = fetch(1, DELTA);

    assertThat(delta.getCriticalExtensionOIDs()).containsExactly(DELTA_INDICATOR);
    assertThat(integer(delta, DELTA_INDICATOR)).isEqualTo(integer(base, CRL_NUMBER));
    assertThat(integer(delta, CRL_NUMBER)).isGreaterThan(integer(later, CRL_NUMBER));
    assertThat(delta.getRevokedCertificate(good)).isNull();
    assertThat(delta.getRevokedCertificate(bad).getRevocationReason())
        .isEqualTo(CRLReason.SUPERSEDED);
    assertThat(delta.getRevokedCertificate(held).getRevocationReason())
        .isEqualTo(CRLReason.REMOVE_FROM_CRL);
    for (X509CRL complete : List.of(base, later)) {
      List<X509CRL> both = List.of(complete, delta);
      assertThat(judge().openssl(good, both).status()).isZero();
      assertThat(judge().openssl(held, both).status()).isZero();
      Program.Ended refused = judge().openssl(bad, both);
      assertThat(refused.status()).isNotZero();
      assertThat(refused.errors()).contains("certificate revoked");
      assertThat(judge().verdict(good, both)).isEqualTo("good");
      assertThat(judge().verdict(held, both)).isEqualTo("good");
      assertThat(judge().verdict(bad, both)).contains("revo");
    }
    // The delta made the difference.
    assertThat(judge().openssl(bad, List.of(base)).status()).isZero();
    assertThat(judge().openssl(held, List.of(later)).errors()).contains("certificate revoked");
    assertThat(judge().verdict(bad, List.of(base))).isEqualTo("good");
    assertThat(judge().verdict(held, List.of(later))).contains("revo");
    knowingNoDeltas(good, held, bad, delta);
    assertThat(dump(delta)).contains("X509v3 Delta CRL Indicator: critical");
    assertThat(dump(base)).contains("X509v3 Freshest CRL");
    asHttpSays();
  }

  /**
   * The JDK's validator of paths, and openssl without {@code -use_deltas}: neither minds that a
   * complete CRL names its delta, or has the delta beside it. The JDK does not take a delta alone
   * for a complete one; openssl 3.0 does.
   */
  private static void knowingNoDeltas(
      X509Certificate good, X509Certificate held, X509Certificate bad, X509CRL delta) {
    RelyingParty party = new RelyingParty(TRIAL.trial());
    X509CRL root = fetch(0, "/crl/root.crl");
    Poll.until("on the complete CRL", PUBLISHED_WITHIN, () -> entry(0, COMPLETE, bad) != null);
    X509CRL complete = fetch(0, COMPLETE);
    assertThat(complete.getNonCriticalExtensionOIDs()).contains(FRESHEST);
    for (List<X509CRL> crls :
        List.of(
            List.of(complete, root),
            List.of(complete, delta, root),
            List.of(delta, complete, root))) {
      for (X509Certificate certificate : List.of(good, held)) {
        assertThat(party.pkix(certificate, crls)).isEqualTo("good");
        assertThat(party.openssl(certificate, crls).status()).isZero();
      }
      assertThat(party.pkix(bad, crls)).isEqualTo("REVOKED");
      assertThat(party.openssl(bad, crls).errors()).contains("certificate revoked");
    }
    for (X509Certificate certificate : List.of(good, bad)) {
      assertThat(party.pkix(certificate, List.of(delta, root))).isNotIn("good", "REVOKED");
    }
  }

  private static void asHttpSays() {
    Api plain = Api.plain(TRIAL.trial().plain(0));
    Answer first = plain.get(DELTA).is(200);
    assertThat(first.header("Content-Type")).isEqualTo("application/pkix-crl");
    assertThat(first.header("Cache-Control")).contains("max-age=60", "public");
    assertThat(first.header("Last-Modified")).isNotBlank();
    String tag = first.header("ETag");
    Answer second = plain.with("If-None-Match", tag).get(DELTA);
    assertThat(second.status() == 304 || !second.header("ETag").equals(tag)).isTrue();
    plain.get("/crl/nobody/delta.crl").isProblem(404, "/not-found");
    plain.get("/crl/issuing/1-delta.crl").isProblem(404, "/not-found");
    // The folder for others has one too.
    Path web = TRIAL.trial().folder().resolve("web/issuing/delta.crl");
    Poll.until("in the folder", PUBLISHED_WITHIN, () -> Files.exists(web));
    assertThat(RelyingParty.read(bytes(web)).getCriticalExtensionOIDs())
        .containsExactly(DELTA_INDICATOR);
  }

  /**
   * Revocations on both nodes, compromises among them, of which each brings a delta at once; then
   * one node is killed. Whatever was seen is of one line of numbers, and the last delta makes of
   * the first CRL what the last complete CRL says.
   */
  @Test
  @Order(2)
  void revoke_manyAndANodeDies_noNumberTwiceAndTheLastDeltaIsRight() {
    X509CRL base = fetch(1, COMPLETE);
    Map<BigInteger, byte[]> seen = new TreeMap<>();
    see(seen, base);
    List<X509Certificate> certificates = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      int node = i < 8 ? i % 2 : 1;
      if (i == 8) {
        TRIAL.trial().kill(0);
      }
      X509Certificate certificate = enroll(node);
      certificates.add(certificate);
      revoke(node, certificate, i % 2 == 0 ? "keyCompromise" : "superseded");
      see(seen, fetch(1, COMPLETE));
      see(seen, fetch(1, DELTA));
    }
    X509Certificate last = certificates.getLast();
    Poll.until("on the CRL", PUBLISHED_WITHIN, () -> entry(1, COMPLETE, last) != null);
    Poll.until("on the delta", PUBLISHED_WITHIN, () -> entry(1, DELTA, last) != null);

    X509CRL delta = fetch(1, DELTA);
    X509CRL complete = fetch(1, COMPLETE);
    see(seen, delta);
    see(seen, complete);
    assertThat(certificates).allMatch(c -> delta.getRevokedCertificate(c) != null);
    assertThat(combined(base, delta)).isEqualTo(combined(complete, delta));
    assertThat(combined(base, delta).keySet()).isEqualTo(entries(complete).keySet());
    Evidence.append("revocation.txt", seen.size() + " CRLs and deltas, no number twice");
  }

  /** A number that was seen before is of the same octets. */
  private static void see(Map<BigInteger, byte[]> seen, X509CRL crl) {
    byte[] octets = RelyingParty.encoded(crl);
    byte[] before = seen.putIfAbsent(integer(crl, CRL_NUMBER), octets);
    assertThat(before == null || Arrays.equals(before, octets)).isTrue();
  }

  private static Map<BigInteger, String> combined(X509CRL complete, X509CRL delta) {
    Map<BigInteger, String> combined = entries(complete);
    entries(delta)
        .forEach(
            (serial, entry) -> {
              if (entry.startsWith(CRLReason.REMOVE_FROM_CRL.toString())) {
                combined.remove(serial);
              } else {
                combined.put(serial, entry);
              }
            });
    return combined;
  }

  private static Map<BigInteger, String> entries(X509CRL crl) {
    Map<BigInteger, String> entries = new TreeMap<>();
    if (crl.getRevokedCertificates() != null) {
      for (X509CRLEntry entry : crl.getRevokedCertificates()) {
        entries.put(
            entry.getSerialNumber(),
            entry.getRevocationReason() + " at " + entry.getRevocationDate().toInstant());
      }
    }
    return entries;
  }

  private static String dump(X509CRL crl) {
    return Program.of(
            "openssl",
            "crl",
            "-in",
            Csr.write(TRIAL.trial().folder(), RelyingParty.pem(crl)),
            "-noout",
            "-text")
        .run()
        .ok()
        .text();
  }

  private static DeltaJudge judge() {
    return new DeltaJudge(TRIAL.trial());
  }

  private static X509Certificate enroll() {
    return enroll(0);
  }

  private static X509Certificate enroll(int node) {
    Csr csr = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "www.example.com");
    return TRIAL
        .trial()
        .api(node, "enroll")
        .enroll("tls-server", csr.pemBytes())
        .is(201)
        .certificate();
  }

  private static Api officer(int node) {
    return TRIAL.trial().api(node, "admin");
  }

  private static void revoke(int node, X509Certificate certificate, String reason) {
    officer(node).postJson(path(certificate) + "/revocation", Map.of("reason", reason)).is(200);
  }

  private static String path(X509Certificate certificate) {
    return Api.CERTIFICATES + "/" + "%038x".formatted(certificate.getSerialNumber());
  }

  private static X509CRL fetch(int node, String path) {
    // One client a node: the plain port takes 256 connections, which asking all the time uses up.
    Api plain = CLIENTS.computeIfAbsent(node, n -> Api.plain(TRIAL.trial().plain(n)));
    Poll.until(path + " of node " + node, PUBLISHED_WITHIN, () -> plain.get(path).status() == 200);
    return RelyingParty.read(plain.get(path).is(200).body());
  }

  private static Object entry(int node, String path, X509Certificate certificate) {
    return fetch(node, path).getRevokedCertificate(certificate);
  }

  private static String text(byte[] encoded) {
    return new String(encoded, StandardCharsets.ISO_8859_1);
  }

  /** The extension's OCTET STRING holds an INTEGER of less than 128 octets. */
  private static BigInteger integer(X509CRL crl, String oid) {
    byte[] value = crl.getExtensionValue(oid);
    return new BigInteger(1, Arrays.copyOfRange(value, 4, value.length));
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
