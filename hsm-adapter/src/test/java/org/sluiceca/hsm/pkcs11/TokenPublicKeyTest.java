package org.sluiceca.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** CKA_EC_POINT in the two forms in which modules give it, against keys that the JDK made. */
class TokenPublicKeyTest {
  @ParameterizedTest
  @CsvSource({
    "secp256r1, 06082a8648ce3d030107, 65, 0441",
    "secp384r1, 06052b81040022, 97, 0461",
    "secp521r1, 06052b81040023, 133, 048185"
  })
  void ec_wrappedAndRawPoint_sameKeyAsTheJdks(
      String curve, String parameters, int length, String header) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec(curve));
    byte[] expected = generator.generateKeyPair().getPublic().getEncoded();
    byte[] raw = tail(expected, length);
    byte[] oid = HexFormat.of().parseHex(parameters);

    assertThat(TokenPublicKey.ec(oid, raw)).isEqualTo(expected);
    assertThat(TokenPublicKey.ec(oid, wrapped(header, raw))).isEqualTo(expected);
  }

  @Test
  void ed25519_wrappedAndRawPoint_sameKeyAsTheJdks() throws GeneralSecurityException {
    for (int i = 0; i < 20; i++) {
      byte[] expected =
          KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPublic().getEncoded();
      byte[] raw = tail(expected, 32);

      assertThat(TokenPublicKey.ed25519(raw)).isEqualTo(expected);
      assertThat(TokenPublicKey.ed25519(wrapped("0420", raw))).isEqualTo(expected);
    }
  }

  @Test
  void ec_pointOneByteShort_refused() {
    byte[] oid = HexFormat.of().parseHex("06082a8648ce3d030107");

    assertThatThrownBy(() -> TokenPublicKey.ec(oid, new byte[64]))
        .isInstanceOf(GeneralSecurityException.class)
        .hasMessage("CKA_EC_POINT of 64 bytes where the curve has 65");
  }

  @Test
  void ec_unknownCurve_refused() {
    assertThatThrownBy(() -> TokenPublicKey.ec(new byte[] {6, 1, 1}, new byte[65]))
        .isInstanceOf(GeneralSecurityException.class)
        .hasMessage("CKA_EC_PARAMS names no NIST curve");
  }

  private static byte[] tail(byte[] bytes, int length) {
    return Arrays.copyOfRange(bytes, bytes.length - length, bytes.length);
  }

  private static byte[] wrapped(String header, byte[] raw) {
    return HexFormat.of().parseHex(header + HexFormat.of().formatHex(raw));
  }
}
