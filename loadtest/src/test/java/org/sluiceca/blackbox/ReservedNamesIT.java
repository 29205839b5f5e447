package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.parallel.ResourceLock;

/** No client gets a certificate for a name of the nodes or of a CA, from any node or profile. */
@ResourceLock(value = TrialExtension.TWO_NODES, mode = READ)
class ReservedNamesIT {

  private static final String REFUSED = "/name-not-allowed";

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.sharedPair();

  @TestFactory
  Stream<DynamicTest> enroll_nameOfTheNodes_422() {
    return Stream.of(
            "DNS:localhost",
            "DNS:LOCALHOST",
            "DNS:www.example.com,DNS:localhost",
            "IP:127.0.0.1",
            "IP:::1")
        .map(san -> DynamicTest.dynamicTest(san, refused(san)));
  }

  private static Executable refused(String san) {
    return () -> {
      // Without a commonName, which would have to be among the names.
      byte[] csr = csr("unused", "-subj", "/", "-addext", "subjectAltName=" + san);
      for (int node = 0; node < 2; node++) {
        Answer answer =
            TRIAL.trial().api(node, "enroll").enroll("tls-server", csr).isProblem(422, REFUSED);
        assertThat(answer.text()).contains("reserved");
      }
    };
  }

  @Test
  void enroll_commonNameOfANode_422() {
    for (String name : List.of("localhost", "LocalHost", "127.0.0.1")) {
      for (String profile : List.of("tls-server", "tls-client", "device")) {
        TRIAL.trial().enroller().enroll(profile, csr(name)).isProblem(422, REFUSED);
      }
    }
  }

  @Test
  void enroll_subjectOfACa_422() {
    for (String file : List.of("root.pem", "chain.pem")) {
      X500Principal subject =
          Answer.certificate(Api.ascii(TRIAL.trial().read(file))).getSubjectX500Principal();
      for (String same : List.of(slashed(subject), slashed(subject).toUpperCase(Locale.ROOT))) {
        for (String profile : List.of("tls-client", "device")) {
          Answer answer =
              TRIAL.trial().enroller().enroll(profile, subject(same)).isProblem(422, REFUSED);
          assertThat(answer.text()).as(profile + " " + same).doesNotContain("Exception");
        }
      }
    }
  }

  /** The rule must not take more than it says. */
  @Test
  void enroll_nameBesideAReservedOne_201() {
    TRIAL
        .trial()
        .enroller()
        .enroll(
            "tls-server",
            csr("localhost.example.com", "-addext", "subjectAltName=DNS:localhost.example.com"))
        .is(201);
  }

  /** Back to the syntax of openssl's -subj, the first relative name first. */
  private static String slashed(X500Principal subject) {
    List<String> parts =
        new ArrayList<>(List.of(subject.getName(X500Principal.RFC1779).split(", ")));
    return "/" + String.join("/", parts.reversed());
  }

  private static byte[] subject(String slashed) {
    return csr("unused", "-subj", slashed);
  }

  private static byte[] csr(String name, String... options) {
    return Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, name, options).der();
  }
}
