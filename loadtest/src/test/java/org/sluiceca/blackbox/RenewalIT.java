package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A certificate in the place of another: the same profile and names, a new key. */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class RenewalIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  private static final String HOST = "renewed.example.com";

  @Test
  void renew_newKeyAndSameNames_anotherCertificate() throws Exception {
    X509Certificate old = enroll(HOST);

    Answer answer = renew(old, HOST).is(201);

    X509Certificate renewed = answer.certificate();
    assertThat(answer.header("Location")).isEqualTo(path(renewed));
    assertThat(renewed.getSerialNumber()).isNotEqualTo(old.getSerialNumber());
    assertThat(renewed.getPublicKey()).isNotEqualTo(old.getPublicKey());
    assertThat(renewed.getSubjectX500Principal()).isEqualTo(old.getSubjectX500Principal());
    assertThat(List.copyOf(renewed.getSubjectAlternativeNames()))
        .isEqualTo(List.copyOf(old.getSubjectAlternativeNames()));
    assertThat(TRIAL.trial().enroller().get(path(old)).is(200).json().path("status").asString())
        .isEqualTo("valid");
    // And that one may be renewed in its turn, in JSON too.
    Csr csr = csr(HOST);
    TRIAL
        .trial()
        .enroller()
        .postJson(
            path(renewed) + "/renewal",
            Map.of("csr", new String(csr.pemBytes(), StandardCharsets.US_ASCII)))
        .is(201);
  }

  @Test
  void renew_otherNames_refused() {
    renew(enroll(HOST), "other.example.com").isProblem(422, "/name-not-allowed");
  }

  @Test
  void renew_revoked_refused() {
    X509Certificate old = enroll(HOST);
    TRIAL
        .trial()
        .enroller()
        .postJson(path(old) + "/revocation", Map.of("reason", "superseded"))
        .is(200);

    renew(old, HOST).isProblem(409, "/conflict");
  }

  @Test
  void renew_byOthers_refused() {
    X509Certificate old = enroll(HOST);
    byte[] csr = csr(HOST).pemBytes();
    String path = path(old) + "/renewal";

    register("stranger", List.of("REQUESTER"))
        .post(path, Api.PKCS10, csr)
        .isProblem(404, "/not-found");
    register("officer", List.of("REQUESTER", "OFFICER"))
        .post(path, Api.PKCS10, csr)
        .isProblem(403, "/forbidden");
    TRIAL
        .trial()
        .enroller()
        .anonymous()
        .post(path, Api.PKCS10, csr)
        .isProblem(401, "/unauthenticated");
    TRIAL
        .trial()
        .enroller()
        .post(Api.CERTIFICATES + "/" + "01".repeat(19) + "/renewal", Api.PKCS10, csr)
        .isProblem(404, "/not-found");
  }

  /** A machine that has nothing but its certificate; and it may do nothing else with it. */
  @Test
  void renew_byItsHolder_thatOneOnly() {
    Csr first = csr("machine.example.com");
    Answer issued =
        TRIAL
            .trial()
            .enroller()
            .with("Accept", "application/pem-certificate-chain")
            .enroll("tls-client", first.pemBytes())
            .is(201);
    String own = issued.header("Location");
    Api holder =
        Api.trusting(
            TRIAL.trial().https(0),
            TRIAL.trial().data().resolve("root.pem"),
            first.pkcs12(TRIAL.trial().folder(), issued.text()));
    byte[] next = csr("machine.example.com").pemBytes();

    holder.post(own + "/renewal", Api.PKCS10, next).is(201);

    Answer other =
        TRIAL.trial().enroller().enroll("tls-client", csr("machine.example.com").pemBytes());
    holder
        .post(other.is(201).header("Location") + "/renewal", Api.PKCS10, next)
        .isProblem(401, "/unauthenticated");
    holder.get(own).isProblem(401, "/unauthenticated");
    holder.enroll("tls-client", next).isProblem(401, "/unauthenticated");
    holder.get(own + "/renewal").isProblem(401, "/unauthenticated");
    holder
        .post(own + "/renewal", Api.PKCS10, csr("another.example.com").pemBytes())
        .isProblem(422, "/name-not-allowed");
    TRIAL.trial().enroller().postJson(own + "/revocation", Map.of("reason", "superseded")).is(200);
    holder.post(own + "/renewal", Api.PKCS10, next).isProblem(409, "/conflict");
  }

  @Test
  void renew_sameKeyAgain_theSameAnswer() {
    X509Certificate old = enroll(HOST);
    byte[] csr = csr(HOST).pemBytes();
    Api api = TRIAL.trial().enroller().with("Idempotency-Key", "renewal-1");
    Answer first = api.post(path(old) + "/renewal", Api.PKCS10, csr).is(201);

    Answer again = api.post(path(old) + "/renewal", Api.PKCS10, csr).is(201);

    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(again.certificate()).isEqualTo(first.certificate());
    api.post(path(enroll(HOST)) + "/renewal", Api.PKCS10, csr)
        .isProblem(422, "/idempotency-key-reused");
  }

  private static Csr csr(String host) {
    return Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, host);
  }

  private static X509Certificate enroll(String host) {
    return TRIAL
        .trial()
        .enroller()
        .enroll("tls-server", csr(host).pemBytes())
        .is(201)
        .certificate();
  }

  private static Answer renew(X509Certificate old, String host) {
    return TRIAL.trial().enroller().post(path(old) + "/renewal", Api.PKCS10, csr(host).pemBytes());
  }

  private static Api register(String requester, List<String> roles) {
    Answer registered =
        TRIAL
            .trial()
            .api(0, "admin")
            .postJson(
                "/v1/credentials",
                Map.of("requester", requester, "roles", roles, "profiles", List.of("tls-server")))
            .is(201);
    return TRIAL
        .trial()
        .enroller()
        .anonymous()
        .with(Api.bearer(registered.json().path("token").asString()));
  }

  private static String path(X509Certificate certificate) {
    return Api.CERTIFICATES + "/" + "%038x".formatted(certificate.getSerialNumber());
  }
}
