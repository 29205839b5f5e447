package org.sluiceca.load.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.load.CsrCorpus;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RequestsTest {

  /** RFC 4231, test case 2 has this key. */
  private static final byte[] KEY = "Jefe".getBytes(StandardCharsets.UTF_8);

  @TempDir private Path folder;

  @Test
  void stepCa_tokens_eachOnceAndSignedByTheKeyOfTheJwk()
      throws IOException, GeneralSecurityException {
    Path corpus = folder.resolve("corpus");
    Files.write(corpus, CsrCorpus.make(2));
    Path key = folder.resolve("key");
    Path jwk = folder.resolve("jwk");
    Path out = folder.resolve("out");

    Requests.main(new String[] {"step-ca-key", key.toString(), jwk.toString()});
    for (int i = 0; i < 2; i++) {
      Requests.main(
          new String[] {"step-ca", corpus.toString(), out.toString(), key.toString(), "3"});
    }

    List<JsonNode> lines =
        Files.readAllLines(out).stream().map(JsonMapper.shared()::readTree).toList();
    assertThat(lines).hasSize(6);
    ECPublicKey publicKey = read(JsonMapper.shared().readTree(Files.readString(jwk)));
    for (int i = 0; i < 6; i++) {
      String[] token = lines.get(i).path("ott").asString().split("\\.", -1);
      JsonNode claims = JsonMapper.shared().readTree(Base64.getUrlDecoder().decode(token[1]));
      assertThat(claims.path("sub").asString()).isEqualTo(CsrCorpus.name(i % 3 % 2));
      assertThat(claims.path("exp").asLong()).isGreaterThan(claims.path("iat").asLong());
      Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
      signature.initVerify(publicKey);
      signature.update((token[0] + "." + token[1]).getBytes(StandardCharsets.UTF_8));
      assertThat(signature.verify(Base64.getUrlDecoder().decode(token[2]))).isTrue();
    }
    assertThat(lines.stream().map(line -> line.path("ott").asString()).distinct()).hasSize(6);
  }

  @Test
  void cfssl_request_carriesItsOwnHmac() {
    JsonNode body = JsonMapper.shared().readTree(Requests.cfssl("QUJD", KEY));

    byte[] request = Base64.getDecoder().decode(body.path("request").asString());
    assertThat(JsonMapper.shared().readTree(request).path("certificate_request").asString())
        .isEqualTo(
            "-----BEGIN CERTIFICATE REQUEST-----\nQUJD\n-----END CERTIFICATE REQUEST-----\n");
    assertThat(Base64.getDecoder().decode(body.path("token").asString())).isEqualTo(hmac(request));
  }

  @Test
  void upward_migration_endsWhereTheDownwardHalfBegins() {
    assertThat(
            StoredCertificates.upward(
                "-- +goose Up\n-- why\nCREATE TABLE a (b int);\n-- +goose Down\nDROP TABLE a;\n"))
        .isEqualTo("CREATE TABLE a (b int);");
  }

  /** RFC 2104, written out: a second opinion. */
  private static byte[] hmac(byte[] text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] inner = pad(0x36);
      digest.update(inner);
      byte[] hash = digest.digest(text);
      digest.update(pad(0x5c));
      return digest.digest(hash);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] pad(int with) {
    byte[] pad = new byte[64];
    for (int i = 0; i < pad.length; i++) {
      pad[i] = (byte) ((i < KEY.length ? KEY[i] : 0) ^ with);
    }
    return pad;
  }

  private static ECPublicKey read(JsonNode jwk) throws GeneralSecurityException {
    AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
    parameters.init(new ECGenParameterSpec("secp256r1"));
    ECPoint point = new ECPoint(coordinate(jwk, "x"), coordinate(jwk, "y"));
    return (ECPublicKey)
        KeyFactory.getInstance("EC")
            .generatePublic(
                new ECPublicKeySpec(point, parameters.getParameterSpec(ECParameterSpec.class)));
  }

  private static BigInteger coordinate(JsonNode jwk, String name) {
    return new BigInteger(1, Base64.getUrlDecoder().decode(jwk.path(name).asString()));
  }
}
