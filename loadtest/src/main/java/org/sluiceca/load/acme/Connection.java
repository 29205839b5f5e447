package org.sluiceca.load.acme;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * One connection over TLS to a CA on this machine, kept for all requests, with as little in it as a
 * benchmark needs: what the client costs, the CA does not have. Each call blocks, 30 s at most for
 * what it reads at a time. For one thread.
 */
public final class Connection implements AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final SSLSocketFactory factory;
  private final int port;
  private @Nullable SSLSocket socket;
  private InputStream in = InputStream.nullInputStream();

  public Connection(SSLSocketFactory factory, int port) {
    this.factory = factory;
    this.port = port;
  }

  public Answer head(URI url) throws IOException {
    return send("HEAD " + target(url), new byte[0], true);
  }

  public Answer get(URI url) throws IOException {
    return send("GET " + target(url), new byte[0], false);
  }

  public Answer post(URI url, Jws signed) throws IOException {
    return post(url, "Content-Type: application/jose+json\r\n", Jws.utf8(signed.json()));
  }

  /**
   * Posts a body.
   *
   * @param fields of the head, each with its end of line, without the length
   */
  public Answer post(URI url, String fields, byte[] body) throws IOException {
    return send(
        "POST " + target(url) + fields + "Content-Length: " + body.length + "\r\n", body, false);
  }

  /** Connects and shakes hands now, so that the next request does not wait for it. */
  public void open() throws IOException {
    if (socket == null) {
      opened().startHandshake();
    }
  }

  private static String target(URI url) {
    return url.getRawPath()
        + (url.getRawQuery() == null ? "" : "?" + url.getRawQuery())
        + " HTTP/1.1\r\nHost: "
        + url.getRawAuthority()
        + "\r\n";
  }

  private Answer send(String head, byte[] body, boolean isHead) throws IOException {
    byte[] start = (head + "\r\n").getBytes(StandardCharsets.US_ASCII);
    byte[] all = Arrays.copyOf(start, start.length + body.length);
    System.arraycopy(body, 0, all, start.length, body.length);
    boolean isKept = false;
    try {
      // Whole: one record of TLS.
      opened().getOutputStream().write(all);
      Answer answer = Answer.read(in, isHead);
      isKept = !answer.isLast();
      return answer;
    } finally {
      if (!isKept) {
        close();
      }
    }
  }

  private SSLSocket opened() throws IOException {
    SSLSocket known = socket;
    if (known != null) {
      return known;
    }
    Socket plain = new Socket();
    plain.connect(
        new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port),
        (int) TIMEOUT.toMillis());
    plain.setTcpNoDelay(true);
    plain.setSoTimeout((int) TIMEOUT.toMillis());
    SSLSocket opened = (SSLSocket) factory.createSocket(plain, "localhost", port, true);
    SSLParameters parameters = opened.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    opened.setSSLParameters(parameters);
    in = new BufferedInputStream(opened.getInputStream());
    socket = opened;
    return opened;
  }

  @Override
  public void close() throws IOException {
    Socket open = socket;
    socket = null;
    if (open != null) {
      open.close();
    }
  }
}
