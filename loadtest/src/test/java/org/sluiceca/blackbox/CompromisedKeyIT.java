package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** CA/Browser Forum BR 6.1.1.3: a key that was reported as compromised is not certified again. */
@ResourceLock(value = TrialExtension.TWO_NODES, mode = READ)
class CompromisedKeyIT {

  private static final String REFUSED = "/compromised-key";

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.sharedPair();

  @Test
  void revoke_keyCompromise_noWayToAnotherCertificate() {
    byte[] csr = csr("compromised.example.com");
    String server = enroll(0, "tls-server", csr).is(201).locationEnd();
    String device = enroll(1, "device", csr).is(201).locationEnd();

    // The index of certificates is a second behind; asking again is answered with what stands.
    Poll.until(
        "the other certificate is offered",
        Duration.ofSeconds(30),
        () ->
            revoke(server, "keyCompromise")
                .json()
                .path("otherCertificates")
                .toString()
                .equals("[\"" + device + "\"]"));

    for (int node = 0; node < 2; node++) {
      for (String profile : new String[] {"tls-server", "tls-client", "device", "short-lived"}) {
        Answer refused = enroll(node, profile, csr).isProblem(422, REFUSED);
        assertThat(refused.text()).contains("make a new key");
      }
      api(node)
          .post(Api.CERTIFICATES + "/" + device + "/renewal", "application/pkcs10", csr)
          .isProblem(422, REFUSED);
      api(node)
          .with("Prefer", "respond-async")
          .post(Api.CERTIFICATES + "?profile=device", "application/pkcs10", csr)
          .isProblem(422, REFUSED);
    }
    enroll(0, "tls-server", csr("compromised.example.com")).is(201);
  }

  @Test
  void revoke_anotherReason_keyGoesOn() {
    byte[] csr = csr("superseded.example.com");
    String serial = enroll(0, "tls-server", csr).is(201).locationEnd();

    assertThat(revoke(serial, "superseded").json().has("otherCertificates")).isFalse();

    enroll(1, "tls-server", csr).is(201);
  }

  private static Answer revoke(String serial, String reason) {
    return TRIAL
        .trial()
        .api(0, "admin")
        .postJson(Api.CERTIFICATES + "/" + serial + "/revocation", Map.of("reason", reason))
        .is(200);
  }

  private static Api api(int node) {
    return TRIAL.trial().api(node, "enroll");
  }

  private static Answer enroll(int node, String profile, byte[] csr) {
    return api(node).enroll(profile, csr);
  }

  private static byte[] csr(String name) {
    return Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, name).der();
  }
}
