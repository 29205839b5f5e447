package org.sluiceca.api.warm;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.sluiceca.api.http.access.OwnRequests;
import org.springframework.boot.ssl.SslBundle;

/**
 * HTTPS from the node to its own port: a handshake, a public resource in JSON, and the end of the
 * connection. It shows no client certificate and no token, so no requester is counted for it.
 */
final class OwnConnection {

  /** Public, and read without a look into the database. */
  private static final byte[] REQUEST =
      String.join(
              "\r\n",
              "GET /v1/profiles HTTP/1.1",
              "Host: localhost",
              "Accept: application/json",
              "Connection: close",
              "",
              "")
          .getBytes(StandardCharsets.US_ASCII);

  private static final byte[] OK = "HTTP/1.1 200 ".getBytes(StandardCharsets.US_ASCII);

  private final SSLContext context;
  private final InetSocketAddress address;
  private final OwnRequests own;

  /**
   * Connects to {@code port} of this host.
   *
   * @param identity the node's: its issuers are trusted, its key is not used
   * @param bound the address that the port is bound to
   */
  OwnConnection(SslBundle identity, InetAddress bound, int port, OwnRequests own)
      throws GeneralSecurityException {
    this.context = SSLContext.getInstance("TLS");
    context.init(null, identity.getManagers().getTrustManagers(), null);
    this.address =
        new InetSocketAddress(
            bound.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : bound, port);
    this.own = own;
  }

  /**
   * Asks once; blocks for {@code timeoutMillis} at most in each step.
   *
   * @throws IOException if the answer is not 200
   */
  void get(int timeoutMillis) throws IOException {
    try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket()) {
      socket.setSoTimeout(timeoutMillis);
      socket.connect(address, timeoutMillis);
      own.begin(new InetSocketAddress(socket.getLocalAddress(), socket.getLocalPort()));
      socket.getOutputStream().write(REQUEST);
      byte[] answer = socket.getInputStream().readAllBytes();
      if (!Arrays.equals(answer, 0, Math.min(OK.length, answer.length), OK, 0, OK.length)) {
        throw new IOException(
            "answered " + new String(answer, StandardCharsets.US_ASCII).lines().findFirst());
      }
    } finally {
      own.end();
    }
  }
}
