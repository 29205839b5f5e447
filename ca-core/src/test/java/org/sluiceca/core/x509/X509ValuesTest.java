package org.sluiceca.core.x509;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.x509.DistinguishedName.Attribute;

class X509ValuesTest {

  private static final byte[] BYTES = {0x30, 0x00};

  @Test
  void encodedDer_equalBytesOfOneType_equal() {
    assertThat(CertificateDer.of(BYTES))
        .isEqualTo(CertificateDer.of(BYTES.clone()))
        .hasSameHashCodeAs(CertificateDer.of(BYTES.clone()))
        .isNotEqualTo(CertificateDer.of(new byte[] {0x30, 0x01}));
  }

  @Test
  void encodedDer_equalBytesOfOtherTypes_notEqual() {
    assertThat((Object) CertificateDer.of(BYTES)).isNotEqualTo(TbsCertificateDer.of(BYTES));
    assertThat((Object) CsrDer.of(BYTES)).isNotEqualTo(NameDer.of(BYTES));
  }

  @Test
  void encodedDer_bytesChangedByCaller_unchanged() {
    byte[] mine = BYTES.clone();
    CsrDer csr = CsrDer.of(mine);

    mine[0] = 0;
    csr.encoded()[0] = 0;

    assertThat(csr.encoded()).isEqualTo(BYTES);
    assertThat(csr.length()).isEqualTo(2);
  }

  @Test
  void octetString_equalOctets_equalAndCopied() {
    byte[] mine = {1, 2};
    OctetString octets = OctetString.copyOf(mine);

    mine[0] = 9;
    octets.octets()[1] = 9;

    assertThat(octets)
        .isEqualTo(OctetString.copyOf(new byte[] {1, 2}))
        .hasSameHashCodeAs(OctetString.copyOf(new byte[] {1, 2}))
        .isNotEqualTo(OctetString.copyOf(new byte[] {1}))
        .hasToString("0102");
    assertThat(octets.length()).isEqualTo(2);
  }

  @Test
  void extension_differsInEachPart_notEqual() {
    Extension extension = Extension.of("1.2.3", true, BYTES);

    assertThat(extension)
        .isEqualTo(Extension.of("1.2.3", true, BYTES.clone()))
        .hasSameHashCodeAs(Extension.of("1.2.3", true, BYTES.clone()))
        .isNotEqualTo(Extension.of("1.2.4", true, BYTES))
        .isNotEqualTo(Extension.of("1.2.3", false, BYTES))
        .isNotEqualTo(Extension.of("1.2.3", true, new byte[0]));
  }

  @Test
  void oids_atTheirLongest_bothSides() {
    String longest = "1.2" + ".1".repeat(62) + "1";

    assertThat(longest).hasSize(128);
    assertThatNoException().isThrownBy(() -> Oids.check(longest));
    assertThatIllegalArgumentException().isThrownBy(() -> Oids.check(longest + "1"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CertificatePolicy(longest + "1", Optional.empty(), Optional.empty()));
  }

  @Test
  void nameSubtree_domainAtItsLongest_bothSides() {
    String label = "a".repeat(63);
    String longest = String.join(".", label, label, label, "a".repeat(61));

    assertThatNoException().isThrownBy(() -> new NameSubtree.Uri("." + longest));
    assertThatIllegalArgumentException().isThrownBy(() -> new NameSubtree.Uri(longest + "a"));
  }

  @Test
  void validity_oneSecondOrNone_bothSides() {
    Instant start = Instant.parse("2026-11-21T12:00:00Z");

    assertThat(new Validity(start, start.plusSeconds(1)).contains(start)).isTrue();
    assertThatIllegalArgumentException().isThrownBy(() -> new Validity(start, start));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Validity(start, start.minusSeconds(1)));
  }

  @Test
  void validity_fractionOfASecond_refused() {
    Instant start = Instant.parse("2026-11-21T12:00:00Z");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Validity(start.plusNanos(1), start.plusSeconds(9)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Validity(start, start.plusSeconds(9).plusNanos(1)));
  }

  @Test
  void validity_containsBothEndsAndNothingBeyond() {
    Instant start = Instant.parse("2026-11-21T12:00:00Z");
    Validity validity = new Validity(start, start.plusSeconds(9));

    assertThat(validity.contains(start)).isTrue();
    assertThat(validity.contains(start.plusSeconds(9))).isTrue();
    assertThat(validity.contains(start.minusNanos(1))).isFalse();
    assertThat(validity.contains(start.plusSeconds(9).plusNanos(1))).isFalse();
  }

  @Test
  void distinguishedName_listChangedByCaller_unchanged() {
    List<Attribute> attributes =
        new ArrayList<>(List.of(new Attribute(NameAttribute.COMMON_NAME, "a")));
    DistinguishedName name = new DistinguishedName(attributes);

    attributes.clear();

    assertThat(name.values(NameAttribute.COMMON_NAME)).containsExactly("a");
    assertThat(name).hasToString("CN=a");
    assertThat(DistinguishedName.EMPTY.isEmpty()).isTrue();
  }

  @Test
  void signatureAlgorithm_fitsKeysOfItsFamilyOnly() {
    assertThat(SignatureAlgorithm.RSASSA_PSS_SHA512.fits(PublicKeyAlgorithm.RSA)).isTrue();
    assertThat(SignatureAlgorithm.ECDSA_SHA256.fits(PublicKeyAlgorithm.EC_P521)).isTrue();
    assertThat(SignatureAlgorithm.ED25519.fits(PublicKeyAlgorithm.ED25519)).isTrue();
    assertThat(SignatureAlgorithm.ED25519.fits(PublicKeyAlgorithm.EC_P256)).isFalse();
    assertThat(SignatureAlgorithm.ED448.fits(PublicKeyAlgorithm.ED448)).isTrue();
    assertThat(SignatureAlgorithm.ED448.fits(PublicKeyAlgorithm.ED25519)).isFalse();
    assertThat(SignatureAlgorithm.ED25519.fits(PublicKeyAlgorithm.ED448)).isFalse();
    assertThat(SignatureAlgorithm.ECDSA_SHA256.fits(PublicKeyAlgorithm.RSA)).isFalse();
    assertThat(SignatureAlgorithm.RSA_PKCS1_SHA256.fits(PublicKeyAlgorithm.ED25519)).isFalse();
  }

  @Test
  void issuerName_boundsOfItsSyntax() {
    assertThat(new IssuerName("a".repeat(40))).hasToString("a".repeat(40));
    for (String text : new String[] {"", "a".repeat(41), "1a", "A", "a/b", "a\n", "ä"}) {
      assertThatIllegalArgumentException().as(text).isThrownBy(() -> new IssuerName(text));
    }
  }
}
