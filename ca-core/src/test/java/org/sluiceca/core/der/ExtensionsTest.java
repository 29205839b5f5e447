package org.sluiceca.core.der;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.sluiceca.core.testkit.RawDer.hex;

import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.KeyUsage;
import org.sluiceca.core.x509.OctetString;

/** The octets of each extension, worked out by hand from RFC 5280. */
class ExtensionsTest {

  @Test
  void keyUsage_eachBit_standsWhereTheStandardSays() throws Exception {
    assertThat(value(Extensions.keyUsage(Set.of(KeyUsage.DIGITAL_SIGNATURE))))
        .isEqualTo("03020780");
    assertThat(value(Extensions.keyUsage(Set.of(KeyUsage.KEY_CERT_SIGN, KeyUsage.CRL_SIGN))))
        .isEqualTo("03020106");
    assertThat(value(Extensions.keyUsage(Set.of(KeyUsage.DECIPHER_ONLY)))).isEqualTo("0303070080");
    for (KeyUsage usage : KeyUsage.values()) {
      assertThat(ExtensionReader.keyUsage(Extensions.keyUsage(Set.of(usage))))
          .containsExactly(usage);
    }
    Set<KeyUsage> all = EnumSet.allOf(KeyUsage.class);
    assertThat(ExtensionReader.keyUsage(Extensions.keyUsage(all))).isEqualTo(all);
  }

  @Test
  void basicConstraints_caOrNot_defaultsLeftOut() throws Exception {
    assertThat(value(Extensions.basicConstraints(false, OptionalInt.empty()))).isEqualTo("3000");
    assertThat(value(Extensions.basicConstraints(true, OptionalInt.empty())))
        .isEqualTo("30030101ff");
    assertThat(value(Extensions.basicConstraints(true, OptionalInt.of(0))))
        .isEqualTo("30060101ff020100");
    assertThat(ExtensionReader.isCa(Extensions.basicConstraints(true, OptionalInt.of(0)))).isTrue();
    assertThat(ExtensionReader.isCa(Extensions.basicConstraints(false, OptionalInt.empty())))
        .isFalse();
  }

  @Test
  void pathLen_thereOrNotOrNegative_readOrFault() throws Exception {
    assertThat(ExtensionReader.pathLen(Extensions.basicConstraints(true, OptionalInt.of(3))))
        .hasValue(3);
    assertThat(ExtensionReader.pathLen(Extensions.basicConstraints(true, OptionalInt.empty())))
        .isEmpty();
    assertThatExceptionOfType(DerException.class)
        .isThrownBy(
            () ->
                ExtensionReader.pathLen(
                    Extension.of(ExtensionOids.BASIC_CONSTRAINTS, true, hex("30060101ff0201ff"))));
  }

  @Test
  void subjectKeyIdentifier_written_readsBack() throws Exception {
    assertThat(ExtensionReader.subjectKeyIdentifier(Extensions.subjectKeyIdentifier(hex("0102"))))
        .isEqualTo(OctetString.copyOf(hex("0102")));
  }

  @Test
  void isCa_anyTrueOctet_isAWishForPower() throws Exception {
    // 01 is BER's true, not DER's: it must never read as false.
    assertNotReadAsFalse(hex("3003010101"));
    assertNotReadAsFalse(hex("3003010180"));
  }

  @Test
  void criticality_ofEach_isTheStandards() {
    assertThat(Extensions.basicConstraints(true, OptionalInt.empty()).isCritical()).isTrue();
    assertThat(Extensions.keyUsage(Set.of(KeyUsage.CRL_SIGN)).isCritical()).isTrue();
    for (Extension extension :
        List.of(
            Extensions.extendedKeyUsage(Set.of(ExtendedKeyUsage.SERVER_AUTH)),
            Extensions.subjectKeyIdentifier(new byte[1]),
            Extensions.authorityKeyIdentifier(new byte[1]),
            Extensions.crlDistributionPoint("u:v"),
            Extensions.authorityInformationAccess("u:v"),
            Extensions.noRevocationAvailable())) {
      assertThat(extension.isCritical()).as(extension.oid()).isFalse();
    }
  }

  /** What {@code LibraryWritesTheSameTest} has no counterpart of. */
  @Test
  void noRevocationAvailable_isNull() {
    assertThat(value(Extensions.noRevocationAvailable())).isEqualTo("0500");
  }

  private static void assertNotReadAsFalse(byte[] value) throws DerException {
    Extension extension = Extension.of(ExtensionOids.BASIC_CONSTRAINTS, true, value);
    try {
      assertThat(ExtensionReader.isCa(extension)).isTrue();
    } catch (DerException e) {
      assertThatExceptionOfType(DerException.class)
          .isThrownBy(() -> ExtensionReader.isCa(extension));
    }
  }

  private static String value(Extension extension) {
    return HexFormat.of().formatHex(extension.value());
  }
}
