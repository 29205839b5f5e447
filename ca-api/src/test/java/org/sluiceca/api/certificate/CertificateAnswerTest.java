package org.sluiceca.api.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.CertificateDer;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CertificateAnswerTest {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static final CertificateDer OWN = CertificateDer.of(new byte[] {0x30, 0x01, 0x05});
  private static final CertificateDer ROOT = CertificateDer.of(new byte[] {0x30, 0x01, 0x06});
  private static final CertificateDer ISSUED = CertificateDer.of(new byte[] {0x30, 0x01, 0x07});

  private static CertificateAnswer answers(Issuer... issuers) {
    return new CertificateAnswer(
        new IssuerCatalog(List.of(issuers)), InstantSource.fixed(Fixtures.NOW), JSON);
  }

  private static Issuer issuing(List<CertificateDer> chain) {
    Issuer bare = Fixtures.issuing(SoftwareKey.named("ec-p256"));
    return new Issuer(
        bare.name(),
        bare.subject(),
        bare.subjectPublicKeyInfo(),
        bare.keyIdentifier(),
        bare.validity(),
        chain,
        bare.publications(),
        bare.constraints());
  }

  private static JsonNode json(CertificateAnswer answers) {
    Object body =
        answers
            .write(ResponseEntity.ok(), MediaType.APPLICATION_JSON, new Intents(1).next(), ISSUED)
            .getBody();
    return JSON.readTree(JSON.writeValueAsBytes(body));
  }

  private static List<String> chain(JsonNode json) {
    return json.path("chain").valueStream().map(JsonNode::asString).toList();
  }

  @Test
  void write_json_chainAsStrings() {
    CertificateAnswer answers = answers(issuing(List.of(OWN, ROOT)));

    for (int time = 0; time < 2; time++) {
      JsonNode json = json(answers);

      assertThat(json.path("certificate").asString()).isEqualTo(CertificateAnswer.pem(ISSUED));
      assertThat(chain(json))
          .containsExactly(CertificateAnswer.pem(OWN), CertificateAnswer.pem(ROOT));
      assertThat(json.has("status")).isFalse();
    }
  }

  /** RFC 9110 12.5.1: a range that names the type counts, also where it excludes it. */
  @Test
  void negotiate_severalRanges_mostSpecificCounts() {
    Map<String, String> expected =
        Map.of(
            "application/json;q=0, */*", "application/pem-certificate-chain",
            "application/pkix-cert, */*", "application/pkix-cert",
            "application/pkix-cert;q=0.5, */*;q=0.8", "application/json",
            "*/*", "application/json",
            "application/*;q=0.2, application/pkix-cert;q=0.1", "application/json");
    expected.forEach(
        (accept, type) ->
            assertThat(CertificateAnswer.negotiate(accept)).as(accept).hasToString(type));
    assertThatThrownBy(() -> CertificateAnswer.negotiate("*/*;q=0"))
        .isInstanceOf(ProblemException.class);
  }

  @Test
  void write_jsonOfUnknownIssuer_emptyChain() {
    assertThat(json(answers()).path("chain").isArray()).isTrue();
    assertThat(chain(json(answers()))).isEmpty();
  }

  @Test
  void write_pemChain_withoutTrustAnchor() {
    byte[] body =
        (byte[])
            answers(issuing(List.of(OWN, ROOT)))
                .write(
                    ResponseEntity.ok(),
                    MediaType.valueOf("application/pem-certificate-chain"),
                    new Intents(1).next(),
                    ISSUED)
                .getBody();

    assertThat(new String(body, StandardCharsets.US_ASCII))
        .isEqualTo(CertificateAnswer.pem(ISSUED) + CertificateAnswer.pem(OWN));
  }

  @Test
  void negotiate_nothingOrAnything_givesJson() {
    assertThat(CertificateAnswer.negotiate(null)).hasToString("application/json");
    assertThat(CertificateAnswer.negotiate("*/*")).hasToString("application/json");
  }

  @Test
  void negotiate_quality_decides() {
    assertThat(
            CertificateAnswer.negotiate(
                "application/json;q=0.5, application/pkix-cert;q=0.9, */*;q=0.1"))
        .hasToString("application/pkix-cert");
  }

  @Test
  void negotiate_pemChain_given() {
    assertThat(CertificateAnswer.negotiate("application/pem-certificate-chain"))
        .hasToString("application/pem-certificate-chain");
  }

  @Test
  void negotiate_nothingOffered_refused() {
    assertThatThrownBy(() -> CertificateAnswer.negotiate("text/html"))
        .isInstanceOf(ProblemException.class);
    assertThatThrownBy(() -> CertificateAnswer.negotiate("application/json;q=0"))
        .isInstanceOf(ProblemException.class);
  }

  @Test
  void negotiate_malformed_refused() {
    assertThatThrownBy(() -> CertificateAnswer.negotiate("not a type"))
        .isInstanceOf(ProblemException.class);
  }
}
