package org.sluiceca.core.der;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.x509.CertificateDer;

/** The octets of RFC 5652 5.1, with what stands for certificates; readers are asked elsewhere. */
class CertificatesOnlyTest {

  private static final CertificateDer SHORT = CertificateDer.of(HexFormat.of().parseHex("3000"));
  private static final CertificateDer LONG =
      CertificateDer.of(HexFormat.of().parseHex("3003020101"));

  @Test
  void write_inWhateverOrder_theSameSet() {
    String expected =
        "302c06092a864886f70d010702a01f301d0201013100300b06092a864886f70d010701"
            + "a007"
            + "3000"
            + "3003020101"
            + "3100";

    assertThat(HexFormat.of().formatHex(CertificatesOnly.write(List.of(LONG, SHORT))))
        .isEqualTo(expected);
    assertThat(HexFormat.of().formatHex(CertificatesOnly.write(List.of(SHORT, LONG))))
        .isEqualTo(expected);
  }
}
