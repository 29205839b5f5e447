package org.sluiceca.load.bench;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.IntStream;
import org.sluiceca.load.CsrCorpus;
import org.sluiceca.load.acme.AccountKey;
import org.sluiceca.load.acme.Jws;
import org.sluiceca.load.page.Text;

/**
 * Bodies of HTTP requests, one a line, that ask each CA for certificates of the same corpus.
 *
 * <ul>
 *   <li>{@code cfssl CORPUS OUT KEY-FILE}: with the HMAC that its authenticated endpoint wants
 *   <li>{@code step-ca-key KEY JWK}: makes the key that signs one-time tokens
 *   <li>{@code step-ca CORPUS OUT KEY COUNT}: appends COUNT requests, each with a token of its own;
 *       tokens are made by all processors, before anything is measured
 * </ul>
 */
final class Requests {

  /** The name by which step-ca's configuration knows the key. */
  private static final String PROVISIONER = "bench";

  /** By host name alone: step-ca compares audiences without ports. */
  private static final String AUDIENCE = "https://localhost/1.0/sign";

  private static final long TOKEN_SECONDS = 4 * 3600L;
  private static final int CHUNK = 10_000;
  private static final Base64.Encoder BASE64 = Base64.getEncoder();

  private Requests() {}

  public static void main(String[] arguments) throws IOException, GeneralSecurityException {
    Locale.setDefault(Locale.ROOT);
    switch (arguments[0]) {
      case "cfssl" -> {
        List<String> corpus = Files.readAllLines(Path.of(arguments[1]));
        byte[] key = HexFormat.of().parseHex(Files.readString(Path.of(arguments[3])).strip());
        Files.write(Path.of(arguments[2]), corpus.stream().map(csr -> cfssl(csr, key)).toList());
      }
      case "step-ca-key" -> stepCaKey(Path.of(arguments[1]), Path.of(arguments[2]));
      case "step-ca" ->
          stepCa(
              Files.readAllLines(Path.of(arguments[1])),
              Path.of(arguments[2]),
              Path.of(arguments[3]),
              Integer.parseInt(arguments[4]));
      default -> throw new IllegalArgumentException("no requests for " + arguments[0]);
    }
  }

  /** The request in base64 and its HMAC-SHA-256, as cfssl's {@code authsign} takes them. */
  static String cfssl(String csr, byte[] key) {
    byte[] request =
        ("{\"certificate_request\":\"" + pem(csr) + "\"}").getBytes(StandardCharsets.UTF_8);
    return Text.format(
        "{\"token\":\"%s\",\"request\":\"%s\"}",
        BASE64.encodeToString(Jws.hmac(key, request)), BASE64.encodeToString(request));
  }

  private static void stepCaKey(Path keyFile, Path jwkFile) throws IOException {
    KeyPair pair = AccountKey.newPair();
    Files.write(keyFile, pair.getPrivate().getEncoded());
    Files.writeString(
        jwkFile,
        "{\"use\":\"sig\",\"kid\":\""
            + PROVISIONER
            + "\",\"alg\":\"ES256\","
            + new AccountKey(pair).canonical().substring(1));
  }

  private static void stepCa(List<String> corpus, Path out, Path keyFile, int count)
      throws IOException, GeneralSecurityException {
    PrivateKey key =
        KeyFactory.getInstance("EC")
            .generatePrivate(new PKCS8EncodedKeySpec(Files.readAllBytes(keyFile)));
    long now = Instant.now().getEpochSecond();
    try (Writer file =
        Files.newBufferedWriter(out, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (int from = 0; from < count; from += CHUNK) {
        int first = from;
        List<String> lines =
            IntStream.range(from, Math.min(count, from + CHUNK))
                .parallel()
                .mapToObj(i -> stepCa(corpus, i % corpus.size(), key, now))
                .toList();
        for (String line : lines) {
          file.write(line);
          file.write('\n');
        }
        if (first % (10 * CHUNK) == 0 && first > 0) {
          System.err.println("sluice: " + first + " of " + count + " tokens");
        }
      }
    }
  }

  /** A request and its one-time token (RFC 7519, signed as RFC 7515 and 7518 say). */
  static String stepCa(List<String> corpus, int i, PrivateKey key, long nowSeconds) {
    String name = CsrCorpus.name(i);
    String header = "{\"alg\":\"ES256\",\"kid\":\"" + PROVISIONER + "\",\"typ\":\"JWT\"}";
    String claims =
        Text.format(
            "{\"aud\":\"%s\",\"exp\":%d,\"iat\":%d,\"nbf\":%d,\"iss\":\"%s\",\"jti\":\"%s\","
                + "\"sub\":\"%s\",\"sans\":[\"%s\"]}",
            AUDIENCE,
            nowSeconds + TOKEN_SECONDS,
            nowSeconds,
            nowSeconds,
            PROVISIONER,
            UUID.randomUUID(),
            name,
            name);
    return Text.format(
        "{\"csr\":\"%s\",\"ott\":\"%s\"}",
        pem(corpus.get(i)), Jws.es256(key, header, claims).compact());
  }

  /** A PEM text inside a JSON string. */
  private static String pem(String base64) {
    StringBuilder text = new StringBuilder("-----BEGIN CERTIFICATE REQUEST-----\\n");
    for (int i = 0; i < base64.length(); i += 64) {
      text.append(base64, i, Math.min(base64.length(), i + 64)).append("\\n");
    }
    return text.append("-----END CERTIFICATE REQUEST-----\\n").toString();
  }
}
