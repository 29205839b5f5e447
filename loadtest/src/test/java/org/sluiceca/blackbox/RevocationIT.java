package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CRLReason;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Revocation over REST and the CRLs that follow, judged by openssl and the JDK, on two nodes. */
@ResourceLock(value = TrialExtension.TWO_NODES, mode = READ)
class RevocationIT {

  /**
   * From the answer to the CRL on every node. The goal is a second; what is measured is printed.
   */
  private static final Duration PUBLISHED_WITHIN = Duration.ofSeconds(90);

  private static final String REASON = "reason";

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.sharedPair();

  @Test
  void revoke_issued_onTheCrlOfEveryNode() {
    X509Certificate certificate = enroll();
    Answer valid = officer(0).get(path(certificate)).is(200);
    assertThat(valid.json().path("status").asString()).isEqualTo("valid");

    Answer revoked = revoke(0, certificate, "keyCompromise").is(200);

    assertThat(revoked.json().path("status").asString()).isEqualTo("revoked");
    assertThat(revoked.json().path(REASON).asString()).isEqualTo("keyCompromise");
    for (int node = 0; node < 2; node++) {
      int at = node;
      Duration took =
          Poll.until(
              "on the CRL of node " + node, PUBLISHED_WITHIN, () -> isRevoked(at, certificate));
      Evidence.append("revocation.txt", "on the CRL of node " + node + " after " + took);
      assertThat(crl(node).getRevokedCertificate(certificate).getRevocationReason())
          .isEqualTo(CRLReason.KEY_COMPROMISE);
    }
    Answer read = officer(1).get(path(certificate)).is(200);
    assertThat(read.json().path("status").asString()).isEqualTo("revoked");
    assertThat(read.json().path("revocation").path(REASON).asString()).isEqualTo("keyCompromise");
    // The folder for others has the same.
    Path web = TRIAL.trial().folder().resolve("web/issuing.crl");
    Poll.until(
        "the folder has it",
        PUBLISHED_WITHIN,
        () -> RelyingParty.read(read(web)).getRevokedCertificate(certificate) != null);
  }

  @Test
  void revoke_again_theSame() {
    X509Certificate certificate = enroll();
    Answer first = revoke(0, certificate, "superseded").is(200);

    Answer again = revoke(1, certificate, "cessationOfOperation").is(200);

    assertThat(again.json()).isEqualTo(first.json());
  }

  @Test
  void hold_released_leavesTheCrl() {
    X509Certificate certificate = enroll();
    revoke(0, certificate, "certificateHold").is(200);
    Poll.until("on hold", PUBLISHED_WITHIN, () -> isRevoked(1, certificate));

    TRIAL.trial().enroller().delete(path(certificate) + "/revocation").isProblem(403, "/forbidden");
    officer(1).delete(path(certificate) + "/revocation").is(200);

    Poll.until("released", PUBLISHED_WITHIN, () -> !isRevoked(0, certificate));
    assertThat(officer(0).get(path(certificate)).json().path("status").asString())
        .isEqualTo("valid");
  }

  @Test
  void revoke_ownAndOthers_asTheRoleSays() {
    X509Certificate own = enroll();
    TRIAL
        .trial()
        .enroller()
        .postJson(path(own) + "/revocation", Map.of(REASON, "superseded"))
        .is(200);
    X509Certificate other = enroll();

    stranger()
        .postJson(path(other) + "/revocation", Map.of(REASON, "superseded"))
        .isProblem(404, "/not-found");
    TRIAL
        .trial()
        .enroller()
        .anonymous()
        .postJson(path(other) + "/revocation", Map.of(REASON, "superseded"))
        .isProblem(401, "/unauthenticated");
    officer(0)
        .postJson(
            Api.CERTIFICATES + "/" + "01".repeat(19) + "/revocation", Map.of(REASON, "superseded"))
        .isProblem(404, "/not-found");
  }

  @Test
  void revoke_malformed_refused() {
    X509Certificate certificate = enroll();
    String path = path(certificate) + "/revocation";

    officer(0).postJson(path, Map.of()).isProblem(400, "/malformed-request");
    officer(0)
        .postJson(path, Map.of(REASON, "KEY_COMPROMISE"))
        .isProblem(400, "/malformed-request");
    officer(0).postJson(path, Map.of(REASON, "removeFromCRL")).isProblem(400, "/malformed-request");
    officer(0)
        .postJson(path, Map.of(REASON, "superseded", "invalidityDate", "yesterday"))
        .isProblem(400, "/malformed-request");
    officer(0)
        .postJson(path, Map.of(REASON, "superseded", "invalidityDate", "2999-01-01T00:00:00Z"))
        .isProblem(400, "/malformed-request");
    officer(0).delete(path).isProblem(409, "/conflict");
    assertThat(isRevoked(0, certificate)).isFalse();
  }

  @Test
  void revoke_withoutRevocationInformation_refused() {
    X509Certificate certificate = enroll("short-lived");

    revoke(0, certificate, "keyCompromise").isProblem(409, "/conflict");
  }

  /** openssl and the JDK agree, with the root's CRL above. */
  @Test
  void verify_goodAndRevoked_foreignValidatorsAgree() {
    X509Certificate good = enroll();
    X509Certificate bad = enroll();
    revoke(0, bad, "superseded").is(200);
    Poll.until("published", PUBLISHED_WITHIN, () -> isRevoked(0, bad));
    List<X509CRL> crls = crls();

    assertThat(party().openssl(good, crls).status()).isZero();
    Program.Ended refused = party().openssl(bad, crls);
    assertThat(refused.status()).isNotZero();
    assertThat(refused.errors()).contains("certificate revoked");
    assertThat(party().pkix(good, crls)).isEqualTo("good");
    assertThat(party().pkix(bad, crls)).isEqualTo("REVOKED");
    Program.Ended signature =
        Program.of(
                "openssl",
                "crl",
                "-in",
                der(),
                "-inform",
                "DER",
                "-noout",
                "-verify",
                "-CAfile",
                TRIAL.trial().data().resolve("chain.pem"))
            .run()
            .ok();
    // It ends with 0 whatever it finds.
    assertThat(signature.errors()).contains("verify OK");
  }

  @Test
  void crl_conditionalAndHead_asHttpSays() {
    Api plain = Api.plain(TRIAL.trial().plain(0));
    Answer first = plain.get("/crl/issuing.crl").is(200);

    assertThat(first.header("Content-Type")).isEqualTo("application/pkix-crl");
    assertThat(first.header("Cache-Control")).contains("max-age=60", "public");
    assertThat(first.header("Last-Modified")).isNotBlank();
    String tag = first.header("ETag");
    Answer second = plain.with("If-None-Match", tag).get("/crl/issuing.crl");
    assertThat(second.status() == 304 || !second.header("ETag").equals(tag)).isTrue();
    plain.get("/crl/nobody.crl").isProblem(404, "/not-found");
    plain.get("/crl/issuing/1.crl").isProblem(404, "/not-found");
    plain.get("/crl/issuing/01.crl").isProblem(404, "/not-found");
    plain.get("/crl/root.crl").is(200);
  }

  /** Many at once on both nodes: every CRL's number is above the one before, none is lost. */
  @Test
  void revoke_manyOnBothNodes_numbersRiseAndAllAreOn() {
    List<X509Certificate> certificates = IntStream.range(0, 40).mapToObj(i -> enroll()).toList();
    BigInteger last = number(crl(0));

    for (int i = 0; i < certificates.size(); i++) {
      revoke(i % 2, certificates.get(i), i % 3 == 0 ? "keyCompromise" : "superseded").is(200);
      BigInteger now = number(crl(0));
      assertThat(now).isGreaterThanOrEqualTo(last);
      last = now;
    }

    for (int node = 0; node < 2; node++) {
      int at = node;
      Poll.until(
          "all on the CRL of node " + node,
          PUBLISHED_WITHIN,
          () -> certificates.stream().allMatch(c -> crl(at).getRevokedCertificate(c) != null));
    }
  }

  private static X509Certificate enroll() {
    return enroll("tls-server");
  }

  private static X509Certificate enroll(String profile) {
    Csr csr = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "www.example.com");
    return TRIAL.trial().enroller().enroll(profile, csr.pemBytes()).is(201).certificate();
  }

  private static Api officer(int node) {
    return TRIAL.trial().api(node, "admin");
  }

  /** Another requester, who sees nothing of what others enrolled. */
  private static Api stranger() {
    Answer registered =
        officer(0)
            .postJson(
                "/v1/credentials",
                Map.of(
                    "requester",
                    "stranger",
                    "roles",
                    List.of("REQUESTER"),
                    "profiles",
                    List.of("tls-server")))
            .is(201);
    return officer(0).anonymous().with(Api.bearer(registered.json().path("token").asString()));
  }

  private static Answer revoke(int node, X509Certificate certificate, String reason) {
    return officer(node).postJson(path(certificate) + "/revocation", Map.of(REASON, reason));
  }

  private static String path(X509Certificate certificate) {
    return Api.CERTIFICATES + "/" + "%038x".formatted(certificate.getSerialNumber());
  }

  private static boolean isRevoked(int node, X509Certificate certificate) {
    return crl(node).getRevokedCertificate(certificate) != null;
  }

  private static X509CRL crl(int node) {
    return party().crl(node, "/crl/issuing.crl");
  }

  private static BigInteger number(X509CRL crl) {
    byte[] value = crl.getExtensionValue("2.5.29.20");
    return new BigInteger(1, Arrays.copyOfRange(value, 4, value.length));
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path der() {
    return write("issuing.der", Api.plain(TRIAL.trial().plain(0)).get("/crl/issuing.crl").body());
  }

  private static Path write(String name, byte[] bytes) {
    try {
      return Files.write(TRIAL.trial().folder().resolve(name), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RelyingParty party() {
    return new RelyingParty(TRIAL.trial());
  }

  /** The issuer's and the root's. */
  private static List<X509CRL> crls() {
    return List.of(crl(0), party().crl(0, "/crl/root.crl"));
  }
}
