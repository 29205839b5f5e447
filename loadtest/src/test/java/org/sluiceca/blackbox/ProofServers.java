package org.sluiceca.blackbox;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIMatcher;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.StandardConstants;
import org.sluiceca.load.acme.ProofPages;

/**
 * Where the nodes of {@link TrialExtension#CHALLENGES} look for proofs: one name server for all
 * tests, one port for pages and one for TLS. Classes that run at once put their proofs at different
 * addresses of this machine.
 */
final class ProofServers {

  /** Where every name leads, unless a test says otherwise. */
  static final String MACHINE = "127.0.0.1";

  /** It ends with the tests' JVM. */
  static final NameServer DNS = new NameServer();

  static final int HTTP_PORT = Ports.NODES.free(2);
  static final int TLS_PORT = HTTP_PORT + 1;

  private static final char[] NO_PASSWORD = new char[0];

  private ProofServers() {}

  /** The options of {@code up} that have nodes look here. */
  static String[] options() {
    return new String[] {
      "--acme-http-port", String.valueOf(HTTP_PORT),
      "--acme-tls-port", String.valueOf(TLS_PORT),
      "--acme-resolver", DNS.address()
    };
  }

  /** Serves the proof of http-01 for a token at an address of this machine until it is closed. */
  static Closeable proof(String address, String token, String content) throws IOException {
    ProofPages pages = new ProofPages(InetAddress.ofLiteral(address), HTTP_PORT);
    pages.put(token, content);
    return pages;
  }

  /**
   * Serves a key authorization by tls-alpn-01 until it is closed. The certificate is of the
   * account's own key: RFC 8737 asks for no other.
   *
   * @param san the name that is proven, as openssl writes it
   */
  static Alpn alpn(KeyPair key, String address, String san, String keyAuthorization)
      throws IOException {
    byte[] proof = AcmeClient.sha256(keyAuthorization.getBytes(StandardCharsets.US_ASCII));
    X509Certificate certificate =
        Pkcs10.selfSigned(
            key,
            "subjectAltName=critical," + san,
            "1.3.6.1.5.5.7.1.31=critical,DER:0420" + HexFormat.of().formatHex(proof));
    return Alpn.with(address, certificate, key.getPrivate());
  }

  /** A server of tls-alpn-01 that notes which names its clients ask for. */
  static final class Alpn implements Closeable {

    private final SSLServerSocket socket;
    private final List<String> asked = new CopyOnWriteArrayList<>();

    private Alpn(SSLServerSocket socket) {
      this.socket = socket;
    }

    /** Answers {@code acme-tls/1} with a certificate until it is closed. */
    static Alpn with(String address, X509Certificate certificate, PrivateKey key)
        throws IOException {
      SSLServerSocket socket =
          (SSLServerSocket)
              context(certificate, key)
                  .getServerSocketFactory()
                  .createServerSocket(TLS_PORT, 0, InetAddress.ofLiteral(address));
      Alpn server = new Alpn(socket);
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"acme-tls/1"});
      parameters.setSNIMatchers(List.of(server.matcher()));
      socket.setSSLParameters(parameters);
      Thread.ofVirtual().name("tls-alpn-01").start(server::serve);
      return server;
    }

    /** Keeps the name before the certificate is sent: after it the client knows all it needs. */
    private SNIMatcher matcher() {
      return new SNIMatcher(StandardConstants.SNI_HOST_NAME) {
        @Override
        public boolean matches(SNIServerName name) {
          return asked.add(new SNIHostName(name.getEncoded()).getAsciiName());
        }
      };
    }

    private static SSLContext context(X509Certificate certificate, PrivateKey key)
        throws IOException {
      try {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("proof", key, NO_PASSWORD, new Certificate[] {certificate});
        KeyManagerFactory keys =
            KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, NO_PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
      } catch (GeneralSecurityException e) {
        throw new AssertionError(e);
      }
    }

    private void serve() {
      while (!socket.isClosed()) {
        try (SSLSocket client = (SSLSocket) socket.accept()) {
          client.startHandshake();
        } catch (IOException e) {
          // Closed, or no handshake: the next one.
        }
      }
    }

    /** The names that clients have asked for (SNI). */
    List<String> asked() {
      return List.copyOf(asked);
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
