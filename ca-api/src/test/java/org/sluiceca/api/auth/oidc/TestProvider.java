package org.sluiceca.api.auth.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** An identity provider on loopback: it serves a set of keys by HTTPS, and signs tokens. */
final class TestProvider implements AutoCloseable {

  private static final char[] PASSWORD = "changeit".toCharArray();

  final AtomicInteger downloads = new AtomicInteger();
  final Path root;

  /** What it answers; a test replaces it. */
  volatile int status = 200;

  volatile byte[] answer = new byte[0];

  private final HttpsServer server;

  TestProvider(Path folder) {
    try {
      Path store = folder.resolve("provider.p12");
      Process keytool =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                  "-genkeypair",
                  "-alias",
                  "a",
                  "-keyalg",
                  "EC",
                  "-dname",
                  "CN=localhost",
                  "-ext",
                  "san=dns:localhost",
                  "-validity",
                  "9",
                  "-keystore",
                  store.toString(),
                  "-storepass",
                  new String(PASSWORD))
              .inheritIO()
              .start();
      if (keytool.waitFor() != 0) {
        throw new AssertionError("keytool");
      }
      KeyStore keys = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(store)) {
        keys.load(in, PASSWORD);
      }
      root = folder.resolve("provider.pem");
      Files.writeString(
          root,
          "-----BEGIN CERTIFICATE-----\n"
              + Base64.getMimeEncoder().encodeToString(keys.getCertificate("a").getEncoded())
              + "\n-----END CERTIFICATE-----\n");
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(keys, PASSWORD);
      SSLContext tls = SSLContext.getInstance("TLS");
      tls.init(managers.getKeyManagers(), null, null);
      server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setHttpsConfigurator(new HttpsConfigurator(tls));
      server.createContext("/keys", this::answer);
      server.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      downloads.incrementAndGet();
      exchange.getResponseHeaders().set("Location", "https://localhost:1/keys");
      exchange.sendResponseHeaders(status, answer.length);
      exchange.getResponseBody().write(answer);
    }
  }

  URI keysUri() {
    return URI.create("https://localhost:" + server.getAddress().getPort() + "/keys");
  }

  /** Serves the public halves of these keys from now on. */
  void publish(JWK... keys) {
    answer = new JWKSet(List.of(keys)).toString().getBytes(StandardCharsets.UTF_8);
  }

  static String signed(JWSAlgorithm algorithm, JWK key, JWTClaimsSet claims) {
    return signed(new JWSHeader.Builder(algorithm).keyID(key.getKeyID()).build(), key, claims);
  }

  static String signed(JWSHeader header, JWK key, JWTClaimsSet claims) {
    try {
      JWSSigner signer =
          switch (key.getKeyType().getValue()) {
            case "RSA" -> new RSASSASigner(key.toRSAKey());
            default -> new ECDSASigner(key.toECKey());
          };
      SignedJWT jwt = new SignedJWT(header, claims);
      jwt.sign(signer);
      return jwt.serialize();
    } catch (JOSEException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
