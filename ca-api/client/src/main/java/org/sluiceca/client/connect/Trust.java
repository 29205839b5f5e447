package org.sluiceca.client.connect;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.key.PemFiles;
import org.sluiceca.client.output.Failure;

/** TLS of a connection: whom the client believes, and the certificate that it shows. */
public final class Trust {
  private static final char[] IN_MEMORY = "in memory alone".toCharArray();

  private Trust() {}

  /** The context for all requests of a command. */
  public static SSLContext of(Connection connection) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(own(connection.credential()), believed(connection), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw Failure.of("TLS cannot be set up: " + e.getMessage());
    }
  }

  private static TrustManager @Nullable [] believed(Connection connection)
      throws GeneralSecurityException, IOException {
    if (connection.caFile().isEmpty()) {
      return null;
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    List<X509Certificate> certificates = PemFiles.certificates(connection.caFile().get());
    for (int i = 0; i < certificates.size(); i++) {
      store.setCertificateEntry("ca-" + i, certificates.get(i));
    }
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
    factory.init(store);
    return factory.getTrustManagers();
  }

  private static KeyManager @Nullable [] own(Credential credential)
      throws GeneralSecurityException, IOException {
    if (!(credential instanceof Credential.ClientCertificate own)) {
      return null;
    }
    List<X509Certificate> chain = PemFiles.certificates(own.certificate());
    PrivateKey key = PemFiles.privateKey(own.key());
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("own", key, IN_MEMORY, chain.toArray(X509Certificate[]::new));
    KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
    factory.init(store, IN_MEMORY);
    return factory.getKeyManagers();
  }
}
