package org.sluiceca.load.day;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.pkcs.CertificationRequest;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.junit.jupiter.api.Test;

/** Requests as a CA sees them. */
class CsrGeneratorTest {

  @Test
  void request_anyNumber_hasItsNameTwiceAndASoundSignature()
      throws IOException, GeneralSecurityException {
    CsrGenerator generator = new CsrGenerator();
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
  void new_again_sameRequestsToTheOctet() throws IOException, GeneralSecurityException {
    CsrGenerator first = new CsrGenerator();

    CsrGenerator second = new CsrGenerator();

    for (long number : new long[] {0, 1_999, 2_000, 19_999_999}) {
      assertThat(second.request(number)).isEqualTo(first.request(number));
    }
    assertThat(key(first.request(0)))
        .isEqualTo(key(first.request(2_000)))
        .isNotEqualTo(key(first.request(1)));
  }

  private static SubjectPublicKeyInfo key(String request) {
    return CertificationRequest.getInstance(Base64.getDecoder().decode(request))
        .getCertificationRequestInfo()
        .getSubjectPublicKeyInfo();
  }

  @Test
  void prefix_ofANumber_isThatOfAHundred() {
    assertThat(CsrGenerator.prefix(12_345)).isEqualTo(CsrGenerator.prefix(12_399));
    assertThat(CsrGenerator.prefix(12_345)).isNotEqualTo(CsrGenerator.prefix(12_400));
    assertThat(CsrGenerator.name(12_345)).startsWith(CsrGenerator.prefix(12_345));
  }
}
