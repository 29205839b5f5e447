package org.sluiceca.core.der;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

class PemTest {

  private static final byte[] BYTES = new byte[100];

  @Test
  void write_anyBytes_readsBackInLinesOf64() throws Exception {
    String pem = Pem.write(Pem.CERTIFICATE, BYTES);

    assertThat(Pem.read(Pem.CERTIFICATE, pem)).isEqualTo(BYTES);
    assertThat(pem.lines()).allMatch(line -> line.length() <= 64);
    assertThat(pem).endsWith("-----END CERTIFICATE-----\n");
  }

  @Test
  void read_olderLabelTextAroundAndCarriageReturns_accepted() throws Exception {
    String pem = Pem.write("NEW CERTIFICATE REQUEST", BYTES).replace("\n", "\r\n");

    assertThat(Pem.read(Pem.CERTIFICATE_REQUEST, "Subject: CN=a\n" + pem + "the end"))
        .isEqualTo(BYTES);
  }

  @Test
  void read_noneTwoOrAnother_fault() {
    String pem = Pem.write(Pem.CERTIFICATE, BYTES);

    assertFault(Pem.CERTIFICATE, "");
    assertFault(Pem.CERTIFICATE, pem + pem);
    assertFault(Pem.CERTIFICATE_REQUEST, pem);
    assertFault(Pem.CERTIFICATE, pem.replace("END CERTIFICATE", "END CERTIFICATES"));
    assertFault(Pem.CERTIFICATE, pem.substring(0, pem.length() - 10));
  }

  @Test
  void read_malformedBase64_fault() {
    assertFault(Pem.CERTIFICATE, Pem.write(Pem.CERTIFICATE, BYTES).replace("AAAA\n", "AA=A\n"));
    assertThatExceptionOfType(DerException.class).isThrownBy(() -> Pem.base64("a"));
    assertThatExceptionOfType(DerException.class).isThrownBy(() -> Pem.base64("YQ==YQ=="));
    assertThatExceptionOfType(DerException.class).isThrownBy(() -> Pem.base64("YQ\u00e4="));
  }

  @Test
  void base64_whiteSpaceAnywhere_leftOut() throws Exception {
    assertThat(Pem.base64(" Y\tW\nJ\u000bj\fZ\rA==\r\n")).isEqualTo(Pem.base64("YWJjZA=="));
  }

  @Test
  void readAll_manyBeginLines_linearTime() throws Exception {
    assertThat(Pem.readAll(Pem.CERTIFICATE, "-----BEGIN CERTIFICATE-----\nAAAA".repeat(20_000)))
        .isEmpty();
  }

  @Test
  void request_derPemOrBase64_theSame() throws Exception {
    byte[] der = {0x30, 0x01, 0x00};

    assertThat(Pem.request(der).encoded()).isEqualTo(der);
    assertThat(Pem.request(ascii(Pem.write(Pem.CERTIFICATE_REQUEST, der))).encoded())
        .isEqualTo(der);
    assertThat(Pem.request(ascii("MAEA\n")).encoded()).isEqualTo(der);
  }

  /** What shells, JSON by hand and PowerShell do to a file. */
  @Test
  void request_lineEndsGoneOrEscapedOrUtf16_theSame() throws Exception {
    byte[] der = new byte[100];
    der[0] = 0x30;
    String pem = Pem.write(Pem.CERTIFICATE_REQUEST, der);

    for (String text :
        List.of(
            pem.replace("\n", ""),
            pem.replace("\n", " "),
            pem.replace("\n", "\\n"),
            pem.replace("\n", "\\r\\n"),
            "\u00ef\u00bb\u00bf" + pem,
            Base64.getEncoder().encodeToString(der) + "\\n")) {
      assertThat(Pem.request(text.getBytes(StandardCharsets.ISO_8859_1)).encoded())
          .as(text)
          .isEqualTo(der);
    }
    assertThat(Pem.request(pem.getBytes(StandardCharsets.UTF_16)).encoded()).isEqualTo(der);
    assertThat(Pem.request(("\ufeff" + pem).getBytes(StandardCharsets.UTF_16LE)).encoded())
        .isEqualTo(der);
  }

  @Test
  void request_emptyOrAnotherLabel_fault() {
    assertThatExceptionOfType(DerException.class)
        .isThrownBy(() -> Pem.request(ascii(Pem.write(Pem.CERTIFICATE, BYTES))));
    assertThatExceptionOfType(DerException.class)
        .isThrownBy(() -> CsrReader.read(Pem.request(new byte[0])));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static void assertFault(String label, String pem) {
    assertThatExceptionOfType(DerException.class).isThrownBy(() -> Pem.read(label, pem));
  }
}
