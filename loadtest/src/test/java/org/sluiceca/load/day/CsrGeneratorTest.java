package org.sluiceca.load.day;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.pkcs.CertificationRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests as a CA sees them. */
class CsrGeneratorTest {

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void request_anyNumber_hasItsNameTwiceAndASoundSignature()
      throws IOException, GeneralSecurityException {
    CsrGenerator generator = CsrGenerator.make(3);
    for (long number : new long[] {0, 1, 2, 3, 12_345_678, 19_999_999, 99_999_999_999L}) {
      byte[] der = Base64.getDecoder().decode(generator.request(number));
      CertificationRequest request = CertificationRequest.getInstance(der);

      assertThat(request.getEncoded(ASN1Encoding.DER)).isEqualTo(der);
      assertThat(request.getCertificationRequestInfo().getSubject().toString())
          .isEqualTo("CN=" + CsrGenerator.name(number));
      assertThat(new String(der, StandardCharsets.ISO_8859_1).split(CsrGenerator.name(number), -1))
          .hasSize(3);
      PublicKey key =
          KeyFactory.getInstance("EC")
              .generatePublic(
                  new X509EncodedKeySpec(
                      request
                          .getCertificationRequestInfo()
                          .getSubjectPublicKeyInfo()
                          .getEncoded()));
      Signature judge = Signature.getInstance("SHA256withECDSA");
      judge.initVerify(key);
      judge.update(request.getCertificationRequestInfo().getEncoded(ASN1Encoding.DER));
      assertThat(judge.verify(request.getSignature().getOctets())).isTrue();
    }
  }

  /** A session that goes on asks for the same, or its keys would be refused. */
  @Test
  void open_again_sameRequestsToTheOctet() throws IOException, GeneralSecurityException {
    CsrGenerator first = CsrGenerator.open(folder.resolve("keys"));

    CsrGenerator second = CsrGenerator.open(folder.resolve("keys"));

    for (long number : new long[] {0, 1_999, 2_000, 19_999_999}) {
      assertThat(second.request(number)).isEqualTo(first.request(number));
    }
    assertThat(CsrGenerator.make(1).request(0)).isNotEqualTo(first.request(0));
  }

  @Test
  void prefix_ofANumber_isThatOfAHundred() {
    assertThat(CsrGenerator.prefix(12_345)).isEqualTo(CsrGenerator.prefix(12_399));
    assertThat(CsrGenerator.prefix(12_345)).isNotEqualTo(CsrGenerator.prefix(12_400));
    assertThat(CsrGenerator.name(12_345)).startsWith(CsrGenerator.prefix(12_345));
  }
}
