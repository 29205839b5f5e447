package org.sluiceca.load.drive;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * One kept HTTP/1.1 connection over TLS to a node of this machine. Used by one thread at a time,
 * which it blocks for {@link #PATIENCE_MILLIS} at most.
 */
final class Connection implements AutoCloseable {

  /** The service answers after 30 s at the latest. */
  static final int PATIENCE_MILLIS = 45_000;

  private static final int CONNECT_MILLIS = 10_000;

  /**
   * In 1.2 all connections to a node resume one session without any public-key operation. A resumed
   * session of 1.3 serves one connection and agrees on new keys: with the many connections of an
   * open loop, generator and nodes would spend their processors on handshakes, not on certificates.
   */
  private static final String[] PROTOCOLS = {"TLSv1.2"};

  /** The service's heads have some 400 bytes. */
  private static final int HEAD_MAX = 16_384;

  /** A certificate with its chain has some 5 KB. */
  private static final int BODY_MAX = 1 << 20;

  private static final byte[] HEAD_END = "\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

  private final SSLSocket socket;
  private final byte[] buffer = new byte[HEAD_MAX];
  private int filled;
  private boolean hasAnswered;
  private long restingSince;

  private Connection(SSLSocket socket) {
    this.socket = socket;
  }

  /**
   * Connects and shakes hands; the certificate must be for localhost.
   *
   * @param door where the node, or what leads to it, takes connections
   * @param port of the node itself: sessions of TLS are resumed by it
   */
  static Connection open(SSLSocketFactory factory, InetSocketAddress door, int port)
      throws IOException {
    Socket plain = new Socket();
    try {
      plain.connect(door, CONNECT_MILLIS);
      plain.setSoTimeout(PATIENCE_MILLIS);
      plain.setTcpNoDelay(true);
      SSLSocket socket = (SSLSocket) factory.createSocket(plain, "localhost", port, true);
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      parameters.setProtocols(PROTOCOLS);
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      return new Connection(socket);
    } catch (IOException e) {
      plain.close();
      throw e;
    }
  }

  /** Sends a request and reads the whole answer. */
  Reply ask(byte[] request) throws IOException {
    hasAnswered = false;
    socket.getOutputStream().write(request);
    filled = 0;
    InputStream in = socket.getInputStream();
    int headEnd = readHead(in);
    String head = new String(buffer, 0, headEnd, StandardCharsets.ISO_8859_1);
    if (head.length() < 12) {
      throw new EOFException("no status line: " + head);
    }
    Reply reply = new Reply(Integer.parseInt(head.substring(9, 12)), head);
    readBody(in, reply, filled - headEnd - HEAD_END.length);
    return reply;
  }

  /** Returns whether any byte of the last answer came: if none did, a kept connection was stale. */
  boolean hasAnswered() {
    return hasAnswered;
  }

  void rest(long now) {
    restingSince = now;
  }

  long restingSince() {
    return restingSince;
  }

  private int readHead(InputStream in) throws IOException {
    int from = 0;
    while (true) {
      int read = in.read(buffer, filled, buffer.length - filled);
      if (read < 0) {
        throw new EOFException("closed by the node");
      }
      hasAnswered = true;
      filled += read;
      for (int i = from; i + HEAD_END.length <= filled; i++) {
        if (isHeadEnd(i)) {
          return i;
        }
      }
      from = Math.max(0, filled - HEAD_END.length + 1);
      if (filled == buffer.length) {
        throw new EOFException("a head of more than " + HEAD_MAX + " bytes");
      }
    }
  }

  private boolean isHeadEnd(int at) {
    for (int i = 0; i < HEAD_END.length; i++) {
      if (buffer[at + i] != HEAD_END[i]) {
        return false;
      }
    }
    return true;
  }

  private void readBody(InputStream in, Reply reply, int there) throws IOException {
    int length = reply.header("content-length").map(Integer::parseInt).orElse(-1);
    if (length >= 0) {
      skip(in, length - there);
    } else if (reply.header("transfer-encoding").isPresent()) {
      skipChunks(in);
    }
  }

  private void skip(InputStream in, int count) throws IOException {
    if (count > BODY_MAX) {
      throw new EOFException("a body of " + count + " bytes");
    }
    int left = count;
    while (left > 0) {
      int read = in.read(buffer, 0, Math.min(left, buffer.length));
      if (read < 0) {
        throw new EOFException("a body too short by " + left);
      }
      left -= read;
    }
  }

  /** Reads to the end of chunks without trailers; no other request uses the connection before. */
  private void skipChunks(InputStream in) throws IOException {
    StringBuilder tail =
        new StringBuilder(new String(buffer, 0, filled, StandardCharsets.ISO_8859_1));
    while (!tail.toString().endsWith("0\r\n\r\n")) {
      int read = in.read(buffer, 0, buffer.length);
      if ((read < 0) || (tail.length() > BODY_MAX)) {
        throw new EOFException("chunks without an end");
      }
      tail.append(new String(buffer, 0, read, StandardCharsets.ISO_8859_1));
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // It is of no use any more, and the kernel has its end of it.
      Thread.onSpinWait();
    }
  }
}
