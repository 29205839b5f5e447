package org.sluiceca.client.proxy;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sluiceca.client.output.Failure;

/** Connections to a node, directly or by a proxy's CONNECT (RFC 9110 9.3.6). TLS comes later. */
public final class Tunnel {
  private static final int CONNECT_MILLIS = 5_000;

  /** The proxy looks up the node, and connects to it. */
  private static final Duration ANSWER = Duration.ofSeconds(15);

  private static final int HTTPS = 443;
  private static final int HEAD_MAX = 16_384;
  private static final int REFUSED = 407;
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ([1-5][0-9]{2})( .*)?");

  private Tunnel() {}

  /**
   * A socket that leads to the URL's host and port. Blocks for 20 s at most.
   *
   * @throws ConnectException if node or proxy cannot be reached
   * @throws IOException if the proxy refuses, or is none
   */
  public static Socket open(URI url, Proxies proxies) throws IOException {
    return open(url, proxies, ANSWER);
  }

  static Socket open(URI url, Proxies proxies, Duration answer) throws IOException {
    int port = url.getPort() < 0 ? HTTPS : url.getPort();
    Optional<Via> via = proxies.via(url);
    // By no other than that one: Java has another for sockets (socksProxyHost).
    Socket socket = new Socket(Proxy.NO_PROXY);
    try {
      socket.connect(
          via.map(proxy -> new InetSocketAddress(proxy.host(), proxy.port()))
              .orElseGet(() -> new InetSocketAddress(url.getHost(), port)),
          CONNECT_MILLIS);
      if (via.isPresent()) {
        connect(socket, via.get(), url.getHost() + ":" + port, answer);
      }
      return socket;
    } catch (SocketTimeoutException | UnknownHostException e) {
      socket.close();
      throw new ConnectException(e.getClass().getSimpleName());
    } catch (IOException | Failure e) {
      socket.close();
      throw e;
    }
  }

  private static void connect(Socket socket, Via via, String target, Duration answer)
      throws IOException {
    String authorization = via.authorization();
    String request =
        "CONNECT "
            + target
            + " HTTP/1.1\r\nHost: "
            + target
            + "\r\n"
            + (authorization == null ? "" : "Proxy-Authorization: " + authorization + "\r\n")
            + "\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    Matcher status = STATUS.matcher(head(socket, via, answer).lines().findFirst().orElse(""));
    if (!status.matches()) {
      throw new ProtocolException(via + " does not answer as a proxy");
    }
    int code = Integer.parseInt(status.group(1));
    if (code == REFUSED) {
      throw Failure.of(via.refusal());
    }
    if (code / 100 != 2) {
      throw new IOException(via + " answers " + code);
    }
    socket.setSoTimeout(0);
  }

  /** Octet by octet: what follows the head belongs to TLS. All of it in {@code answer}. */
  private static String head(Socket socket, Via via, Duration answer) throws IOException {
    long end = System.nanoTime() + answer.toNanos();
    InputStream in = socket.getInputStream();
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n", Math.max(0, head.length() - 4)) < 0) {
      long left = Duration.ofNanos(end - System.nanoTime()).toMillis();
      if (left <= 0) {
        throw new SocketTimeoutException(via + " does not answer");
      }
      socket.setSoTimeout((int) left);
      int octet = in.read();
      if (octet < 0) {
        throw new EOFException(via + " ends the connection");
      }
      if (head.length() == HEAD_MAX) {
        throw new ProtocolException(via + " does not answer as a proxy");
      }
      head.append((char) octet);
    }
    return head.toString();
  }
}
