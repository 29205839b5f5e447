package org.sluiceca.core.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.OctetString;

class PayloadHashTest {

  private static final byte[] CSR = {'0', 3, 2, 1, 7};

  /** By openssl dgst over the octets. */
  @Test
  void of_profileZeroCsr_isTheirSha256() {
    assertThat(of("a", CSR).toString())
        .containsIgnoringCase("d59e9b24b090e5d4a5c298943294ffc87ffe42db67da87f04f1da3a121abd2f8");
  }

  @Test
  void of_sameCsrForAnotherProfile_differs() {
    assertThat(of("tls-server", CSR)).isNotEqualTo(of("tls-client", CSR));
  }

  @Test
  void of_anotherCsr_differs() {
    assertThat(of("a", CSR)).isNotEqualTo(of("a", new byte[] {'0', 3, 2, 1, 8}));
  }

  /** Joined without a separator these would be one. */
  @Test
  void of_octetMovedFromCsrToProfile_differs() {
    assertThat(of("a", new byte[] {'0', '0'})).isNotEqualTo(of("a0", new byte[] {'0'}));
  }

  private static OctetString of(String profile, byte[] csr) {
    return PayloadHash.of(
        new EnrollmentRequest(
            Fixtures.requester(), new ProfileName(profile), CsrDer.of(csr), Optional.empty()));
  }
}
