package org.sluiceca.api.auth.oidc;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.wire.json.JsonException;

/**
 * Fetches the keys of a provider: by HTTPS, without redirects, within {@link #LIMIT} and {@link
 * KeySet#OCTETS_MAX}. Nothing of it stays between two downloads, which are minutes apart.
 */
final class KeyDownload {

  /** In all: connection, handshake, headers and body. */
  static final Duration LIMIT = Duration.ofSeconds(5);

  private static final int OK = 200;

  private final URI uri;
  private final @Nullable Path trust;

  KeyDownload(URI uri, @Nullable Path trust) {
    this.uri = uri;
    this.trust = trust;
  }

  /**
   * Returns the keys; blocks for {@link #LIMIT} at most.
   *
   * @throws IOException if they cannot be had or read
   */
  KeySet get() throws IOException {
    HttpClient client = client();
    try {
      CompletableFuture<HttpResponse<byte[]>> answer =
          client.sendAsync(
              HttpRequest.newBuilder(uri)
                  .header("Accept", "application/jwk-set+json, application/json")
                  .build(),
              BodyHandlers.limiting(BodyHandlers.ofByteArray(), KeySet.OCTETS_MAX));
      HttpResponse<byte[]> response = answer.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      if (response.statusCode() != OK) {
        throw new IOException("status " + response.statusCode());
      }
      return KeySet.read(response.body());
    } catch (TimeoutException e) {
      throw new IOException("no answer within " + LIMIT, e);
    } catch (ExecutionException e) {
      throw new IOException(String.valueOf(e.getCause()), e);
    } catch (JsonException e) {
      throw new IOException("not a JWK set: " + e.fault(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      client.shutdownNow();
    }
  }

  private HttpClient client() throws IOException {
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(LIMIT);
    return trust == null ? builder.build() : builder.sslContext(trusting(trust)).build();
  }

  /** Read with each download, so that a root can be replaced while the node runs. */
  private static SSLContext trusting(Path roots) throws IOException {
    try (InputStream pem = Files.newInputStream(roots)) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      Collection<? extends Certificate> found =
          CertificateFactory.getInstance("X.509").generateCertificates(pem);
      for (Certificate root : found) {
        store.setCertificateEntry(Integer.toString(store.size()), root);
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, factory.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("the roots of sluice.oidc.providers.trust cannot be read", e);
    }
  }
}
