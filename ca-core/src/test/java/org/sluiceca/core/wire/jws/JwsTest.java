package org.sluiceca.core.wire.jws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.core.testkit.SignedJson;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.verify.Hmac;
import org.sluiceca.core.x509.OctetString;

class JwsTest {

  private static final SoftwareKey EC = SoftwareKey.named("ec-p256");
  private static final String URL = "https://ca.test/acme/trial/new-order";
  private static final BouncyCastleVerifier VERIFIER = new BouncyCastleVerifier();
  private static final int MAX = 1 << 17;

  @ParameterizedTest
  @ValueSource(strings = {"rsa-2048", "ec-p256", "ec-p384", "ec-p521", "ed25519"})
  void read_signedByEachKind_verifiesUnderThatKeyAlone(String name) throws Exception {
    SoftwareKey key = SoftwareKey.named(name);
    Jws jws = Jws.read(SignedJson.signed(key, SignedJson.header(key, "n1", URL), "{\"a\":1}"), MAX);

    assertThat(jws.nonce()).contains("n1");
    assertThat(jws.url()).isEqualTo(URL);
    assertThat(jws.payload().octets()).asString(StandardCharsets.UTF_8).isEqualTo("{\"a\":1}");
    assertThat(jws.signer())
        .isInstanceOfSatisfying(
            Jws.Signer.Key.class,
            signer -> assertThat(signer.jwk().key()).isEqualTo(key.publicKey()));
    assertThat(jws.isSignedBy(key.publicKey(), VERIFIER)).isTrue();
    assertThat(jws.isSignedBy(SoftwareKey.generate(name).publicKey(), VERIFIER)).isFalse();
  }

  @Test
  void read_byNameOfTheSigner_hasNoKey() throws Exception {
    Jws jws = Jws.read(SignedJson.signed(EC, named("ES256", "https://ca.test/a/1"), ""), MAX);

    assertThat(jws.signer()).isEqualTo(new Jws.Signer.Named("https://ca.test/a/1"));
    assertThat(jws.payload().length()).isZero();
    assertThat(jws.nonce()).isEmpty();
    assertThat(jws.isSignedBy(EC.publicKey(), VERIFIER)).isTrue();
  }

  @Test
  void isSignedBy_anyPartChanged_isFalse() throws Exception {
    String header = SignedJson.header(EC, "n1", URL);
    String good = new String(SignedJson.signed(EC, header, "{}"), StandardCharsets.UTF_8);

    assertThat(verifies(good)).isTrue();
    assertThat(verifies(good.replace(SignedJson.url("{}"), SignedJson.url("[]")))).isFalse();
    assertThat(
            verifies(
                good.replace(
                    SignedJson.url(header), SignedJson.url(header.replace("\"n1\"", "\"n2\"")))))
        .isFalse();
    String signature = good.substring(good.indexOf("\"signature\":\"") + 13, good.length() - 2);
    assertThat(verifies(good.replace(signature, signature.substring(0, 84)))).isFalse();
    assertThat(verifies(good.replace(signature, "A".repeat(86)))).isFalse();
    assertThat(verifies(good.replace(signature, ""))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "HS256", "RS1", "PS256", "es256", "ES256K"})
  void isSignedBy_algorithmNotTaken_isRefusedWithoutVerification(String algorithm)
      throws Exception {
    assertRefused(algorithm, JwsException.Kind.ALGORITHM_NOT_SUPPORTED);
  }

  /** RFC 8555 6.2: the algorithm is on the list that a client reads, so the key is at fault. */
  @ParameterizedTest
  @ValueSource(strings = {"RS256", "ES384", "ES512", "EdDSA"})
  void isSignedBy_algorithmOfAnotherKey_keyIsRefusedWithoutVerification(String algorithm)
      throws Exception {
    assertRefused(algorithm, JwsException.Kind.KEY_NOT_SUPPORTED);
  }

  private static void assertRefused(String algorithm, JwsException.Kind kind) throws Exception {
    Jws jws = Jws.read(SignedJson.signed(EC, named(algorithm, "k"), "{}"), MAX);

    assertThatExceptionOfType(JwsException.class)
        .isThrownBy(
            () ->
                jws.isSignedBy(
                    EC.publicKey(),
                    (key, signed, message, signature) -> {
                      throw new AssertionError("verified");
                    }))
        .satisfies(e -> assertThat(e.kind()).isEqualTo(kind));
  }

  /** RFC 7515 10.7: the public key of a signature must never become the secret of a MAC. */
  @Test
  void isSealedBy_signature_isRefused() throws Exception {
    Jws jws = Jws.read(SignedJson.signed(EC, named("ES256", "k"), "{}"), MAX);

    assertThatExceptionOfType(JwsException.class)
        .isThrownBy(() -> jws.isSealedBy(OctetString.copyOf(EC.publicKey().encoded())));
  }

  @Test
  void isSealedBy_eachHash_wholeCodeOfTheSecretAlone() throws Exception {
    OctetString secret = OctetString.copyOf(new byte[] {1, 2, 3});
    for (MacAlgorithm algorithm : MacAlgorithm.values()) {
      String header = SignedJson.url(named(algorithm.name(), "k"));
      String payload = SignedJson.url("{}");
      OctetString input =
          OctetString.copyOf((header + "." + payload).getBytes(StandardCharsets.US_ASCII));
      byte[] code = Hmac.valueOf("SHA" + algorithm.name().substring(2)).of(secret, input).octets();

      assertThat(sealed(header, payload, code).isSealedBy(secret)).isTrue();
      assertThat(sealed(header, payload, code).isSealedBy(OctetString.copyOf(new byte[] {1, 2})))
          .isFalse();
      assertThat(sealed(header, payload, java.util.Arrays.copyOf(code, 16)).isSealedBy(secret))
          .isFalse();
    }
  }

  /** RFC 4231 4.3. */
  @Test
  void hmac_vectorOfTheRfc() {
    assertThat(
            Hmac.SHA256.of(
                OctetString.copyOf("Jefe".getBytes(StandardCharsets.US_ASCII)),
                OctetString.copyOf(
                    "what do ya want for nothing?".getBytes(StandardCharsets.US_ASCII))))
        .hasToString("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"protected\":\"e30\",\"payload\":\"\"}",
        "{\"protected\":\"\",\"payload\":\"\",\"signature\":\"\"}",
        "{\"protected\":\"e30\",\"payload\":\"\",\"signature\":\"\"}",
        "{\"protected\":1,\"payload\":\"\",\"signature\":\"\"}",
        "{\"payload\":\"\",\"signatures\":[{\"protected\":\"e30\",\"signature\":\"\"}]}",
      })
  void read_notTheForm_isRefused(String text) {
    assertThatExceptionOfType(JwsException.class)
        .isThrownBy(() -> Jws.read(text.getBytes(StandardCharsets.UTF_8), MAX))
        .satisfies(e -> assertThat(e.kind()).isEqualTo(JwsException.Kind.MALFORMED));
  }

  @Test
  void read_headerNotAsAsked_isRefused() {
    assertRefused("\"jwk\":", header -> header.replace("\"jwk\"", "\"kid\":\"k\",\"jwk\""));
    assertRefused("neither", header -> "{\"alg\":\"ES256\",\"url\":\"" + URL + "\"}");
    assertRefused("alg", header -> header.replace("\"alg\"", "\"gla\""));
    assertRefused("url", header -> header.replace("\"url\"", "\"lru\""));
    assertRefused("url twice", header -> header.replace("}", ",\"url\":\"x\"}"));
    assertRefused("empty nonce", header -> header.replace("\"n1\"", "\"\""));
    assertRefused("nonce of another encoding", header -> header.replace("n1", "n 1"));
    assertRefused("long nonce", header -> header.replace("n1", "n".repeat(513)));
    assertRefused("numeric nonce", header -> header.replace("\"n1\"", "1"));
    assertRefused("crit", header -> header.replace("{\"alg", "{\"crit\":[\"exp\"],\"alg"));
    assertRefused("b64", header -> header.replace("{\"alg", "{\"b64\":false,\"alg"));
    assertRefused(
        "long", header -> header.replace("{\"alg", "{\"x\":\"" + "x".repeat(8192) + "\",\"alg"));
  }

  @Test
  void read_unprotectedHeaderOrOtherBase64_isRefused() {
    String good =
        new String(
            SignedJson.signed(EC, SignedJson.header(EC, "n1", URL), "{}"), StandardCharsets.UTF_8);
    for (String bad :
        new String[] {
          good.replace("{\"protected\"", "{\"header\":{\"kid\":\"k\"},\"protected\""),
          good.replace("\"payload\":\"e30\"", "\"payload\":\"e30=\""),
          good.replace("\"payload\":\"e30\"", "\"payload\":\"e31\""),
          good.replace("\"payload\":\"e30\"", "\"payload\":\"e3 0\""),
          good.replace("\"payload\":\"e30\"", "\"payload\":\"e\""),
        }) {
      assertThatExceptionOfType(JwsException.class)
          .as(bad)
          .isThrownBy(() -> Jws.read(bad.getBytes(StandardCharsets.UTF_8), MAX));
    }
  }

  private static void assertRefused(String what, UnaryOperator<String> change) {
    String header = SignedJson.header(EC, "n1", URL);
    String changed = change.apply(header);
    assertThat(changed).as(what).isNotEqualTo(header);
    assertThatExceptionOfType(JwsException.class)
        .as(what)
        .isThrownBy(() -> Jws.read(SignedJson.signed(EC, changed, "{}"), MAX))
        .satisfies(e -> assertThat(e.kind()).isEqualTo(JwsException.Kind.MALFORMED));
  }

  private static Jws sealed(String header, String payload, byte[] code) throws JwsException {
    return Jws.read(
        SignedJson.whole(header, payload, Base64Url.encode(code)).getBytes(StandardCharsets.UTF_8),
        MAX);
  }

  private static String named(String algorithm, String kid) {
    return "{\"alg\":\"" + algorithm + "\",\"kid\":\"" + kid + "\",\"url\":\"" + URL + "\"}";
  }

  private static boolean verifies(String message) throws JwsException {
    return Jws.read(message.getBytes(StandardCharsets.UTF_8), MAX)
        .isSignedBy(EC.publicKey(), VERIFIER);
  }
}
