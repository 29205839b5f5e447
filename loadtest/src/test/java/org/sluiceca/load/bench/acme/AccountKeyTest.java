package org.sluiceca.load.bench.acme;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.util.Base64;
import javax.crypto.spec.SecretKeySpec;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jws.JsonWebSignature;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** By a foreign library. */
class AccountKeyTest {

  private static final URI URL = URI.create("https://localhost/acme/new-order");

  private static JsonWebSignature read(String text, Key key) throws Exception {
    JsonNode parts = JsonMapper.shared().readTree(text);
    JsonWebSignature jws = new JsonWebSignature();
    jws.setCompactSerialization(
        parts.path("protected").asString()
            + "."
            + parts.path("payload").asString()
            + "."
            + parts.path("signature").asString());
    jws.setKey(key);
    return jws;
  }

  private static PublicJsonWebKey jwk(AccountKey key) throws Exception {
    return PublicJsonWebKey.Factory.newPublicJwk(key.jwk());
  }

  @Test
  void sign_request_verifiesByItsKeyAlone() throws Exception {
    AccountKey key = new AccountKey();

    byte[] signed = key.sign("\"kid\":\"https://a\"", "n1", URL, "{\"a\":1}");
    String text = new String(signed, StandardCharsets.UTF_8);
    JsonWebSignature jws = read(text, jwk(key).getPublicKey());

    assertThat(jws.verifySignature()).isTrue();
    assertThat(read(text, jwk(new AccountKey()).getPublicKey()).verifySignature()).isFalse();
    assertThat(jws.getPayload()).isEqualTo("{\"a\":1}");
    assertThat(jws.getKeyIdHeaderValue()).isEqualTo("https://a");
    assertThat(jws.getHeader("nonce")).isEqualTo("n1");
    assertThat(jws.getHeader("url")).isEqualTo(URL.toString());
    assertThat(key.thumbprint()).isEqualTo(jwk(key).calculateBase64urlEncodedThumbprint("SHA-256"));
  }

  @Test
  void bound_key_verifiesByTheHmacKey() throws Exception {
    AccountKey key = new AccountKey();
    byte[] hmacKey = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    JsonWebSignature jws =
        read(
            key.bound("kid-1", Base64.getUrlEncoder().encodeToString(hmacKey), URL),
            new SecretKeySpec(hmacKey, "HmacSHA256"));

    assertThat(jws.verifySignature()).isTrue();
    assertThat(jws.getPayload()).isEqualTo(key.jwk());
    assertThat(jws.getKeyIdHeaderValue()).isEqualTo("kid-1");
  }
}
