package org.sluiceca.api.validation.tls;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * TLS to a machine that has no certificate yet that could be verified: it asks for its first. For
 * validators alone, which trust nothing that they read.
 */
public final class UnverifiedTls {

  private static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};

  private UnverifiedTls() {}

  /**
   * Shakes hands. Blocks; the caller closes {@code socket} to end it.
   *
   * @param socket connected; its time-out holds for each read
   * @param serverName of SNI; empty for none
   * @param protocols of ALPN; none to leave the extension out
   * @throws IOException if the handshake fails
   */
  public static SSLSocket upgrade(
      Socket socket, String serverName, int port, List<String> protocols) throws IOException {
    SSLSocket secured =
        (SSLSocket) context().getSocketFactory().createSocket(socket, serverName, port, true);
    SSLParameters parameters = secured.getSSLParameters();
    parameters.setProtocols(VERSIONS.clone());
    parameters.setServerNames(
        serverName.isEmpty() ? List.of() : List.of(new SNIHostName(serverName)));
    parameters.setApplicationProtocols(protocols.toArray(String[]::new));
    secured.setSSLParameters(parameters);
    secured.startHandshake();
    return secured;
  }

  /**
   * Another for each connection: a resumed session would show the certificate of an earlier one.
   */
  private static SSLContext context() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new Unverified()}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("each Java platform has TLS", e);
    }
  }

  /** Extended, since the JDK adds checks of its own to another. */
  private static final class Unverified extends X509ExtendedTrustManager {

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {
      throw new UnsupportedOperationException("a validator is a client");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
      throw new UnsupportedOperationException("a validator is a client");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {
      throw new UnsupportedOperationException("a validator is a client");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
