package org.sluiceca.blackbox;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;

/**
 * A TLS connection that keeps no buffers while it rests: an SSLSocket keeps 50 KB, and ten thousand
 * of them would need more heap than the node that they are to test. Used by one thread at a time.
 */
final class PooledTls implements AutoCloseable {

  /** The longest wait of the service is 30 s, and then it answers. */
  private static final int PATIENCE_MILLIS = 45_000;

  private static final int CONNECT_MILLIS = 10_000;

  private static final Pattern LENGTH = Pattern.compile("\r\ncontent-length: ([0-9]+)");
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final Socket socket;
  private final SSLEngine engine;

  /** What was read and is not decrypted yet, ready to be read from. */
  private ByteBuffer left = NOTHING;

  /** An answer; its body is of no interest. */
  record Reply(int status, String head) {

    Optional<String> header(String name) {
      return head.lines()
          .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ":"))
          .map(line -> line.substring(name.length() + 1).strip())
          .findFirst();
    }
  }

  private PooledTls(Socket socket, SSLEngine engine) {
    this.socket = socket;
    this.engine = engine;
  }

  /** Connects and shakes hands; never resumes, so that each handshake is a whole one. */
  static PooledTls open(URI node, SSLContext context) throws IOException {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(true);
    Socket socket = new Socket();
    try {
      socket.connect(new InetSocketAddress(node.getHost(), node.getPort()), CONNECT_MILLIS);
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.setTcpNoDelay(true);
      PooledTls open = new PooledTls(socket, engine);
      open.handshake();
      return open;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private void handshake() throws IOException {
    engine.beginHandshake();
    HandshakeStatus status = engine.getHandshakeStatus();
    while (status != HandshakeStatus.NOT_HANDSHAKING && status != HandshakeStatus.FINISHED) {
      switch (status) {
        case NEED_WRAP -> send(NOTHING);
        case NEED_TASK -> {
          for (Runnable task = engine.getDelegatedTask();
              task != null;
              task = engine.getDelegatedTask()) {
            task.run();
          }
        }
        default -> receive(ByteBuffer.allocate(applicationBytes()));
      }
      status = engine.getHandshakeStatus();
    }
  }

  /** Sends a request and reads the answer, which has no body if the method is HEAD. */
  Reply ask(byte[] request) throws IOException {
    ByteBuffer all = ByteBuffer.wrap(request);
    while (all.hasRemaining()) {
      send(all);
    }
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    ByteBuffer some = ByteBuffer.allocate(applicationBytes());
    while (!isWhole(answer, request[0] == 'H')) {
      receive(some.clear());
      answer.write(some.array(), 0, some.position());
    }
    String text = answer.toString(StandardCharsets.ISO_8859_1);
    return new Reply(
        Integer.parseInt(text.substring(9, 12)), text.substring(0, text.indexOf("\r\n\r\n")));
  }

  private static boolean isWhole(ByteArrayOutputStream answer, boolean isHead) {
    String text = answer.toString(StandardCharsets.ISO_8859_1);
    int end = text.indexOf("\r\n\r\n");
    if (end < 0 || isHead) {
      return end >= 0;
    }
    Matcher length = LENGTH.matcher(text.substring(0, end).toLowerCase(Locale.ROOT));
    return length.find()
        ? text.length() >= end + 4 + Integer.parseInt(length.group(1))
        : text.endsWith("\r\n0\r\n\r\n");
  }

  private void send(ByteBuffer from) throws IOException {
    ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.wrap(from, record);
    socket.getOutputStream().write(record.array(), 0, record.position());
  }

  /** Decrypts one record. */
  private void receive(ByteBuffer into) throws IOException {
    ByteBuffer in =
        ByteBuffer.allocate(engine.getSession().getPacketBufferSize() + left.remaining());
    in.put(left).flip();
    SSLEngineResult result = engine.unwrap(in, into);
    while (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW) {
      in.compact();
      int read = socket.getInputStream().read(in.array(), in.position(), in.remaining());
      if (read < 0) {
        throw new EOFException("closed by the node");
      }
      in.position(in.position() + read).flip();
      result = engine.unwrap(in, into);
    }
    left = in.hasRemaining() ? ByteBuffer.allocate(in.remaining()).put(in).flip() : NOTHING;
    if (result.getStatus() != SSLEngineResult.Status.OK) {
      throw new EOFException("TLS is " + result.getStatus());
    }
  }

  private int applicationBytes() {
    return engine.getSession().getApplicationBufferSize();
  }

  /** Without a close_notify: as clients that die. */
  @Override
  public void close() throws IOException {
    socket.close();
  }
}
