package org.sluiceca.load.acme;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.util.Base64;
import java.util.Map;
import javax.crypto.spec.SecretKeySpec;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jws.JsonWebSignature;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** By a foreign library. */
class AccountKeyTest {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String URL = "https://localhost/acme/new-order";

  private static JsonWebSignature read(Jws signed, Key key) throws Exception {
    JsonWebSignature jws = new JsonWebSignature();
    jws.setCompactSerialization(signed.compact());
    jws.setKey(key);
    return jws;
  }

  private static PublicJsonWebKey jwk(AccountKey key) throws Exception {
    return PublicJsonWebKey.Factory.newPublicJwk(Map.copyOf(key.jwk()));
  }

  @Test
  void sign_request_verifiesByItsKeyAlone() throws Exception {
    AccountKey key = new AccountKey();

    Jws signed = key.request("\"kid\":\"https://a\"", "n1", URL, "{\"a\":1}");
    JsonWebSignature jws = read(signed, jwk(key).getPublicKey());

    assertThat(jws.verifySignature()).isTrue();
    assertThat(read(signed, jwk(new AccountKey()).getPublicKey()).verifySignature()).isFalse();
    assertThat(jws.getPayload()).isEqualTo("{\"a\":1}");
    assertThat(jws.getKeyIdHeaderValue()).isEqualTo("https://a");
    assertThat(jws.getHeader("nonce")).isEqualTo("n1");
    assertThat(jws.getHeader("url")).isEqualTo(URL);
    assertThat(JSON.readTree(signed.json())).isEqualTo(JSON.valueToTree(signed.members()));
    assertThat(key.keyAuthorization("t"))
        .isEqualTo("t." + jwk(key).calculateBase64urlEncodedThumbprint("SHA-256"));
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
    assertThat(jws.getPayload()).isEqualTo(key.canonical());
    assertThat(jws.getKeyIdHeaderValue()).isEqualTo("kid-1");
  }
}
