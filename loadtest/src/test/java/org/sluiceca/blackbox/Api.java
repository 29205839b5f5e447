package org.sluiceca.blackbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.sluiceca.load.call.Http;

/**
 * A client of one port of one node: trusts one root and sends the same headers with each request.
 *
 * @param headers names and values in turn
 */
record Api(URI base, HttpClient client, List<String> headers) {

  static final String JSON = "application/json";
  static final String PKCS10 = "application/pkcs10";
  static final String CERTIFICATES = "/v1/certificates";

  /** The longest wait of the service is 30 s, and then it answers. */
  private static final Duration LIMIT = Duration.ofSeconds(45);

  private static final char[] NO_PASSWORD = new char[0];

  /** One for all plain ports: each client has a thread, and who polls would make many. */
  private static final HttpClient PLAIN = client(null);

  /** A client of an HTTPS port that trusts only {@code root}. */
  static Api trusting(URI base, Path root) {
    return new Api(base, client(context(root)), List.of());
  }

  /** A client that also has a certificate of its own, from a PKCS#12 file without a password. */
  static Api trusting(URI base, Path root, Path pkcs12) {
    return new Api(base, client(context(root, keys(pkcs12))), List.of());
  }

  /** A client that presents what {@code own} presents. */
  static Api trusting(URI base, Path root, KeyManager own) {
    return new Api(base, client(context(root, own)), List.of());
  }

  /** A client of a plain HTTP port. */
  static Api plain(URI base) {
    return new Api(base, PLAIN, List.of());
  }

  static String[] bearer(String token) {
    return new String[] {"Authorization", "Bearer " + token};
  }

  /** The same client with more headers. */
  Api with(String... more) {
    return new Api(base, client, Stream.concat(headers.stream(), Stream.of(more)).toList());
  }

  /** The same client without the credential. */
  Api anonymous() {
    return new Api(base, client, List.of());
  }

  Answer get(String path) {
    return send("GET", path, BodyPublishers.noBody());
  }

  Answer delete(String path) {
    return send("DELETE", path, BodyPublishers.noBody());
  }

  Answer postJson(String path, Object body) {
    return with("Content-Type", JSON)
        .send("POST", path, BodyPublishers.ofString(Answer.json(body)));
  }

  Answer post(String path, String contentType, byte[] body) {
    return with("Content-Type", contentType).send("POST", path, BodyPublishers.ofByteArray(body));
  }

  /** Enrolls by {@code application/pkcs10}. */
  Answer enroll(String profile, byte[] csr) {
    return post(CERTIFICATES + "?profile=" + profile, PKCS10, csr);
  }

  Answer send(String method, String path, BodyPublisher body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(base.resolve(path)).timeout(LIMIT).method(method, body);
    if (!headers.isEmpty()) {
      request.headers(headers.toArray(String[]::new));
    }
    try {
      return Answer.of(client.send(request.build(), BodyHandlers.ofByteArray()));
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + base.resolve(path) + ": " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static HttpClient client(@Nullable SSLContext tls) {
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            // With its handshake: a hundred of them at once take seconds on a busy machine.
            .connectTimeout(LIMIT);
    return tls == null ? builder.build() : builder.sslContext(tls).build();
  }

  static SSLContext context(Path root, KeyManager... own) {
    try {
      return Http.trusting(root, own);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static KeyManager[] keys(Path pkcs12) {
    try {
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(KeyStore.getInstance(pkcs12.toFile(), NO_PASSWORD), NO_PASSWORD);
      return factory.getKeyManagers();
    } catch (GeneralSecurityException | IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The bytes of an ASCII text. */
  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
