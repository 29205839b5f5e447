package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Private keys and unknown query parameters are refused by name (docs/protocols/REST.md). */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class UnwantedInputIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  private static final String TYPE = "/private-key-sent";

  @Test
  void privateKey_inEveryForm_refusedAndNowhereInTheLog() throws IOException {
    Api api = TRIAL.trial().enroller();
    Csr csr = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "key.example.com");
    String pem = Files.readString(csr.key());
    String both = pem + csr.pemText();
    byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", "").strip());
    String base64 = Base64.getEncoder().encodeToString(der);

    for (byte[] body : List.of(octets(both), octets(csr.pemText() + pem), octets(pem), der)) {
      refused(api.enroll("tls-server", body));
    }
    refused(api.enroll("tls-server", octets(base64)));
    // As PowerShell 5 joins two files.
    refused(api.enroll("tls-server", both.getBytes(StandardCharsets.UTF_16)));
    for (String text : List.of(both, pem, base64)) {
      refused(api.postJson(Api.CERTIFICATES, Map.of("profile", "tls-server", "csr", text)));
    }
    String line =
        "{\"id\":\"1\",\"profile\":\"tls-server\",\"csr\":\"%s\"}\n"
            .formatted(both.replace("\n", "\\n"));
    Answer batch = api.post("/v1/certificates:batch", "application/x-ndjson", octets(line)).is(200);
    assertThat(batch.text()).contains(TYPE).doesNotContain("BEGIN");
    refused(
        TRIAL
            .trial()
            .api(0, "admin")
            .postJson("/v1/issuers", Map.of("name", "a", "certificates", List.of(pem))));

    String secret = pem.lines().skip(1).findFirst().orElseThrow();
    Path log = TRIAL.trial().data().resolve("node-0.log");
    assertThat(Files.readString(log)).doesNotContain(secret);
    assertThat(api.enroll("tls-server", csr.pemBytes()).status()).isEqualTo(201);
  }

  private static void refused(Answer answer) {
    answer.isProblem(400, TYPE);
    assertThat(answer.json().path("detail").asString()).contains("private key", "exposed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"days=30", "validity=P1D", "Profile=tls-server", "profile[]=a"})
  void unknownParameter_ofAnEnrollment_refusedByName(String parameter) {
    Csr csr = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "query.example.com");

    Answer answer =
        TRIAL
            .trial()
            .enroller()
            .post(
                Api.CERTIFICATES
                    + "?profile=tls-server&"
                    + parameter.replace("[", "%5B").replace("]", "%5D"),
                Api.PKCS10,
                csr.pemBytes())
            .isProblem(400, "/malformed-request");

    assertThat(answer.json().path("detail").asString())
        .contains(parameter.substring(0, parameter.indexOf('=')), "this route has: profile");
  }

  @Test
  void parameterTwice_refusedByName() {
    Csr csr = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "query.example.com");

    Answer answer =
        TRIAL
            .trial()
            .enroller()
            .post(
                Api.CERTIFICATES + "?profile=tls-server&profile=short-lived",
                Api.PKCS10,
                csr.pemBytes())
            .isProblem(400, "/malformed-request");

    assertThat(answer.json().path("detail").asString()).contains("profile", "more than once");
  }

  /** One mechanism for every route: with and without parameters of its own, public and not. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/issuers",
        "/v1/issuers/issuing",
        "/v1/issuers/issuing/chain.pem",
        "/v1/profiles",
        "/v1/capacity",
        "/v1/certificates",
        "/v1/credentials",
        "/v1/approvals",
        "/v1/reports/expiry"
      })
  void unknownParameter_ofAnyRoute_refusedByName(String path) {
    Answer answer =
        TRIAL
            .trial()
            .api(0, "admin")
            .get(path + "?nonsense=1")
            .isProblem(400, "/malformed-request");

    assertThat(answer.json().path("detail").asString()).contains("nonsense");
  }

  private static byte[] octets(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
