package org.sluiceca.api.validation.service;

import java.io.IOException;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** A machine that speaks TLS with a certificate of the test. */
final class AcmeTlsServer implements AutoCloseable {

  private final RawServer server;
  private final List<String> serverNames;
  private final List<String> sessions;

  private AcmeTlsServer(RawServer server, List<String> serverNames, List<String> sessions) {
    this.server = server;
    this.serverNames = serverNames;
    this.sessions = sessions;
  }

  /**
   * Starts it on a free port of 127.0.0.1.
   *
   * @param protocol that it selects by ALPN; null to ignore ALPN
   * @param then after the handshake
   */
  static AcmeTlsServer start(KeyStore store, @Nullable String protocol, RawServer.Conversation then)
      throws IOException {
    return start(store, protocol, List.of("TLSv1.3", "TLSv1.2"), then);
  }

  static AcmeTlsServer start(
      KeyStore store, @Nullable String protocol, List<String> versions, RawServer.Conversation then)
      throws IOException {
    SSLServerSocket listening;
    try {
      KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
      keys.init(store, AcmeCertificate.PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      listening =
          (SSLServerSocket)
              context
                  .getServerSocketFactory()
                  .createServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    SSLParameters parameters = listening.getSSLParameters();
    parameters.setProtocols(versions.toArray(String[]::new));
    listening.setSSLParameters(parameters);
    List<String> serverNames = new CopyOnWriteArrayList<>();
    List<String> sessions = new CopyOnWriteArrayList<>();
    RawServer server =
        RawServer.start(
            listening,
            socket -> {
              SSLSocket secured = (SSLSocket) socket;
              if (protocol != null) {
                // Without regard to the offer: null would end the handshake.
                secured.setHandshakeApplicationProtocolSelector((_, _) -> protocol);
              }
              secured.startHandshake();
              ((ExtendedSSLSession) secured.getSession())
                  .getRequestedServerNames()
                  .forEach(name -> serverNames.add(((SNIHostName) name).getAsciiName()));
              sessions.add(HexFormat.of().formatHex(secured.getSession().getId()));
              then.with(secured);
            });
    return new AcmeTlsServer(server, serverNames, sessions);
  }

  int port() {
    return server.port();
  }

  /** The SNI of each connection; blocks until those that clients have closed have ended here. */
  List<String> serverNames() {
    server.awaitEnds();
    return serverNames;
  }

  /** The session of each connection, the same where one was resumed; blocks as above. */
  List<String> sessions() {
    server.awaitEnds();
    return sessions;
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
