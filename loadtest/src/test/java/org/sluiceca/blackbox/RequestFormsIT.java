package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Forms in which real clients write requests, names and serial numbers, at a running node. */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class RequestFormsIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  private static final String PROFILE = "tls-server";
  private static final String HOST = "forms.example.com";

  @Test
  void enroll_pemOnOneLineEscapedOrUtf16_issued() {
    String pem = csr("subjectAltName=DNS:" + HOST).pemText();

    enroll(pem.replace("\n", "").getBytes(StandardCharsets.US_ASCII)).is(201);
    enroll(pem.replace("\n", "\\n").getBytes(StandardCharsets.US_ASCII)).is(201);
    enroll(pem.getBytes(StandardCharsets.UTF_16)).is(201);
  }

  @Test
  void enroll_nameTwiceInAnotherCase_issuedOnce() throws Exception {
    Answer answer = enroll(csr("subjectAltName=DNS:" + HOST + ",DNS:FORMS.example.com").der());

    assertThat(answer.is(201).certificate().getSubjectAlternativeNames())
        .extracting(name -> name.get(1))
        .isEqualTo(List.of(HOST));
  }

  @Test
  void enroll_smimeCapabilitiesOfWindows_droppedAnythingElseRefused() {
    String san = "subjectAltName=DNS:" + HOST;

    enroll(csr(san, "1.2.840.113549.1.9.15=DER:30:00").der()).is(201);
    assertThat(
            enroll(csr(san, "1.3.6.1.5.5.7.1.24=DER:30:00").der())
                .isProblem(422, "/profile-violation")
                .text())
        .contains("tlsFeature (1.3.6.1.5.5.7.1.24)");
  }

  /** openssl takes the longest salt that fits unless it is asked for another. */
  @Test
  void enroll_pssWithAnySalt_issued() {
    for (String salt : List.of("digest", "max", "20", "0")) {
      enroll(
              Csr.openssl(
                      TRIAL.trial().folder(),
                      List.of("rsa:2048"),
                      HOST,
                      "-addext",
                      "subjectAltName=DNS:" + HOST,
                      "-sigopt",
                      "rsa_padding_mode:pss",
                      "-sigopt",
                      "rsa_pss_saltlen:" + salt)
                  .der())
          .is(201);
    }
  }

  @Test
  void certificate_serialNumberInEveryForm_found() {
    String serial = enroll(csr("subjectAltName=DNS:" + HOST).der()).is(201).locationEnd();
    String colons = serial.replaceAll("..(?!$)", "$0:");

    for (String form :
        List.of(
            serial,
            serial.toUpperCase(Locale.ROOT),
            serial.substring(1),
            "00" + serial,
            "0x" + serial,
            colons,
            colons.toUpperCase(Locale.ROOT),
            new BigInteger(serial, 16).toString())) {
      TRIAL.trial().enroller().get("/v1/certificates/" + form).is(200);
    }
    for (String malformed : List.of(serial.substring(2), serial + "0", "g" + serial, "1")) {
      assertThat(
              TRIAL
                  .trial()
                  .enroller()
                  .get("/v1/certificates/" + malformed)
                  .isProblem(400, "/malformed-request")
                  .text())
          .contains("38 hexadecimal digits");
    }
  }

  @Test
  void renew_namesInAnotherCase_issued() {
    String serial = enroll(csr("subjectAltName=DNS:" + HOST).der()).is(201).locationEnd();

    TRIAL
        .trial()
        .enroller()
        .post(
            "/v1/certificates/" + serial + "/renewal",
            Api.PKCS10,
            csr("subjectAltName=DNS:FORMS.Example.com").der())
        .is(201);
  }

  private static Answer enroll(byte[] csr) {
    return TRIAL.trial().enroller().enroll(PROFILE, csr);
  }

  private static Csr csr(String... extensions) {
    String[] options = new String[2 * extensions.length];
    for (int i = 0; i < extensions.length; i++) {
      options[2 * i] = "-addext";
      options[2 * i + 1] = extensions[i];
    }
    return Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, HOST, options);
  }
}
