package org.sluiceca.core.wire.jws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.core.testkit.SignedJson;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.wire.json.JsonObject;
import org.sluiceca.core.x509.PublicKeyAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKey;

class PublicJwkTest {

  private static final SoftwareKey EC = SoftwareKey.named("ec-p256");

  @ParameterizedTest
  @ValueSource(strings = {"rsa-2048", "rsa-4096", "ec-p256", "ec-p384", "ec-p521", "ed25519"})
  void read_keyOfEachKind_isTheKeyOfCertificates(String name) throws Exception {
    SoftwareKey key = SoftwareKey.named(name);
    String jwk = SignedJson.jwk(key);

    PublicJwk read = read(jwk);

    assertThat(read.key()).isEqualTo(key.publicKey());
    // The same key in a CSR.
    assertThat(PublicJwk.thumbprint(key.publicKey().key())).contains(read.thumbprint());
    // RFC 7638 3: the hash of the required members, in order, without spaces.
    assertThat(read.thumbprint())
        .isEqualTo(
            Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(
                    MessageDigest.getInstance("SHA-256")
                        .digest(jwk.getBytes(StandardCharsets.UTF_8))));
  }

  @Test
  void thumbprint_ofNoKey_none() {
    assertThat(
            PublicJwk.thumbprint(
                new SubjectPublicKey.Ec(
                    PublicKeyAlgorithm.EC_P256, BigInteger.ONE, BigInteger.TWO)))
        .isEmpty();
  }

  /** The key of RFC 7638 3.1, and that of RFC 8037 A.3. */
  @Test
  void thumbprint_vectorsOfTheRfcs() throws Exception {
    assertThat(
            read("{\"kty\":\"RSA\",\"n\":\""
                    + "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPF"
                    + "FxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93l"
                    + "qt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHz"
                    + "u6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPks"
                    + "INHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw\","
                    + "\"e\":\"AQAB\",\"alg\":\"RS256\",\"kid\":\"2011-04-29\"}")
                .thumbprint())
        .isEqualTo("NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs");
    assertThat(
            read("{\"kty\":\"OKP\",\"crv\":\"Ed25519\","
                    + "\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"}")
                .thumbprint())
        .isEqualTo("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
  }

  @ParameterizedTest
  @ValueSource(strings = {"d", "p", "q", "dp", "dq", "qi", "oth", "k"})
  void read_secretMember_isRefused(String member) {
    String jwk = SignedJson.jwk(EC).replace("}", ",\"" + member + "\":\"AQAB\"}");

    assertThatExceptionOfType(JwsException.class)
        .isThrownBy(() -> read(jwk))
        .withMessageContaining("make another");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"kty\":\"oct\"}",
        "{\"kty\":\"EC\"}",
        "{\"kty\":\"EC\",\"crv\":\"secp256k1\",\"x\":\"AQ\",\"y\":\"AQ\"}",
        "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AQ\",\"y\":\"AQ\"}",
        "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":1,\"y\":\"AQ\"}",
        "{\"kty\":\"OKP\",\"crv\":\"Ed448\",\"x\":\"AQ\"}",
        "{\"kty\":\"OKP\",\"crv\":\"X25519\",\"x\":\"AQ\"}",
        "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"AQ\"}",
        "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"\"}",
        "{\"kty\":\"RSA\",\"n\":\"AQAB\"}",
        "{\"kty\":\"RSA\",\"n\":\"\",\"e\":\"AQAB\"}",
        "{\"kty\":\"RSA\",\"n\":\"AAEB\",\"e\":\"AQAB\"}",
        "{\"kty\":\"RSA\",\"n\":\"AQ==\",\"e\":\"AQAB\"}",
        "{\"kty\":\"RSA\",\"n\":\"A+/B\",\"e\":\"AQAB\"}",
        "{\"kty\":\"RSA\",\"n\":\"AQAC\\n\",\"e\":\"AQAB\"}",
      })
  void read_notAKey_isRefused(String jwk) {
    assertThatExceptionOfType(JwsException.class).isThrownBy(() -> read(jwk));
  }

  @Test
  void read_pointNotOnItsCurveOrShortCoordinate_isRefused() {
    SoftwareKey other = SoftwareKey.generate("ec-p256");
    String x = member(SignedJson.jwk(EC), "x");
    String mixed = SignedJson.jwk(EC).replace(x, member(SignedJson.jwk(other), "x"));

    assertThatExceptionOfType(JwsException.class)
        .isThrownBy(() -> read(mixed))
        .satisfies(e -> assertThat(e.kind()).isEqualTo(JwsException.Kind.KEY_NOT_SUPPORTED));
    // RFC 7518 6.2.1.2: an octet of zeros in front is one too many.
    String longer =
        Base64Url.encode(
            org.bouncycastle.util.Arrays.prepend(Base64Url.decode(x).orElseThrow(), (byte) 0));
    assertThatExceptionOfType(JwsException.class)
        .isThrownBy(() -> read(SignedJson.jwk(EC).replace(x, longer)));
  }

  /** Its verification would take a thousand times as long. */
  @Test
  void read_longOrEvenExponent_isRefused() {
    byte[] modulus = new byte[256];
    modulus[0] = (byte) 0x80;
    modulus[255] = 1;
    for (byte[] exponent : List.of(new byte[] {1, 0, 0, 0, 0, 0, 0, 0, 1}, new byte[] {2})) {
      assertThatExceptionOfType(JwsException.class)
          .isThrownBy(
              () ->
                  read(
                      "{\"kty\":\"RSA\",\"e\":\""
                          + Base64Url.encode(exponent)
                          + "\",\"n\":\""
                          + Base64Url.encode(modulus)
                          + "\"}"))
          .withMessageContaining("jwk.e");
    }
  }

  @Test
  void read_modulusOf8193Bits_isRefused() {
    byte[] modulus = new byte[1025];
    modulus[0] = 1;
    modulus[1024] = 1;
    assertThatExceptionOfType(JwsException.class)
        .isThrownBy(
            () ->
                read(
                    "{\"kty\":\"RSA\",\"e\":\"AQAB\",\"n\":\"" + Base64Url.encode(modulus) + "\"}"))
        .withMessageContaining("8192");
  }

  private static String member(String jwk, String name) {
    String from = jwk.substring(jwk.indexOf("\"" + name + "\":\"") + name.length() + 4);
    return from.substring(0, from.indexOf('"'));
  }

  private static PublicJwk read(String jwk) throws Exception {
    return PublicJwk.read(JsonObject.read(jwk.getBytes(StandardCharsets.UTF_8), 1 << 16));
  }
}
