package org.sluiceca.load.call;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.sluiceca.load.cli.TrialException;

/** Sends requests whose answer is needed, to servers of a root that is known. */
public final class Http {

  private Http() {}

  /**
   * Sends a request and returns the answer, whatever its status.
   *
   * @throws TrialException if there is none
   */
  public static <T> HttpResponse<T> send(
      HttpClient client, HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    try {
      return client.send(request, handler);
    } catch (IOException e) {
      throw new TrialException("no answer from " + request.uri(), e);
    } catch (InterruptedException e) {
      throw Wait.interrupted(e);
    }
  }

  /** Trusts the root in this file alone, and presents what {@code own} presents. */
  public static SSLContext trusting(Path root, KeyManager... own)
      throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    try (InputStream pem = Files.newInputStream(root)) {
      Certificate anchor = CertificateFactory.getInstance("X.509").generateCertificate(pem);
      trusted.setCertificateEntry("root", anchor);
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own, trust.getTrustManagers(), null);
    return context;
  }
}
