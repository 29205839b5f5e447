package org.sluiceca.api.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.sluiceca.api.problem.ProblemException;

class CertificateAnswerTest {

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
