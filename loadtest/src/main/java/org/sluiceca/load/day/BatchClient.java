package org.sluiceca.load.day;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Sends batches to nodes of this machine, each on a connection of its own, and reads results while
 * it sends: a node reads only as fast as it answers, so a client that sends all first would
 * deadlock. Thread-safe.
 */
final class BatchClient {

  private static final int CONNECT_MILLIS = 10_000;

  /** A line has its result within 90 s (docs/protocols/REST.md); some more on a busy machine. */
  private static final int PATIENCE_MILLIS = 150_000;

  private static final int HEAD_MAX = 16_384;

  /** A result has some 1.5 KB. */
  private static final int LINE_MAX = 262_144;

  private final SSLSocketFactory factory;

  /** Trusts what {@code factory} trusts. */
  BatchClient(SSLSocketFactory factory) {
    this.factory = factory;
  }

  /**
   * Sends a batch and hands over each line of the answer; blocks until it ends.
   *
   * @param port of the node
   * @return the status of the answer as a whole; nothing is handed over unless it is 200
   * @throws IOException if the connection breaks; lines before that were handed over
   */
  int send(int port, String token, byte[] body, Consumer<String> results) throws IOException {
    try (Socket plain = new Socket()) {
      plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
      plain.setSoTimeout(PATIENCE_MILLIS);
      plain.setTcpNoDelay(true);
      try (SSLSocket socket = (SSLSocket) factory.createSocket(plain, "localhost", port, true)) {
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        Thread writer = Thread.ofVirtual().start(() -> write(socket, token, body));
        try {
          return read(socket.getInputStream(), results);
        } finally {
          writer.interrupt();
        }
      }
    }
  }

  /** The reader reports a connection that broke. */
  private static void write(SSLSocket socket, String token, byte[] body) {
    try {
      OutputStream out = socket.getOutputStream();
      out.write(
          ("POST /v1/certificates:batch HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                  + "Content-Type: application/x-ndjson\r\nAuthorization: Bearer "
                  + token
                  + "\r\nContent-Length: "
                  + body.length
                  + "\r\n\r\n")
              .getBytes(StandardCharsets.ISO_8859_1));
      out.write(body);
      out.flush();
    } catch (IOException e) {
      Thread.onSpinWait();
    }
  }

  /** Reads an answer. */
  static int read(InputStream in, Consumer<String> results) throws IOException {
    Octets octets = new Octets(in);
    String status = octets.line(HEAD_MAX);
    if (status.length() < 12) {
      throw new EOFException("no status line: " + status);
    }
    int code = Integer.parseInt(status.substring(9, 12));
    boolean isChunked = false;
    for (String header = octets.line(HEAD_MAX); !header.isEmpty(); header = octets.line(HEAD_MAX)) {
      isChunked |= header.toLowerCase(Locale.ROOT).startsWith("transfer-encoding: chunked");
    }
    if (code != 200) {
      return code;
    }
    if (!isChunked) {
      throw new EOFException("an answer of unknown length");
    }
    octets.beginChunks();
    for (String result = octets.line(LINE_MAX); !result.isEmpty(); result = octets.line(LINE_MAX)) {
      results.accept(result);
    }
    return code;
  }

  /**
   * Lines of an answer; of its body, which comes in chunks (RFC 9112 7.1), those between the octets
   * that say how long chunks are.
   */
  private static final class Octets {
    private static final int BUFFER = 65_536;
    private static final int SIZE_MAX = 80;

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER];
    private int at;
    private int end;
    private byte[] line = new byte[2_048];
    private boolean isBody;
    private boolean isFirstChunk = true;
    private int leftOfChunk;
    private boolean isOver;

    Octets(InputStream in) {
      this.in = in;
    }

    void beginChunks() {
      isBody = true;
    }

    /** Up to a line feed, or the end of a body; without it, and without a carriage return. */
    String line(int most) throws IOException {
      int length = 0;
      for (int read = next(); read >= 0 && read != '\n'; read = next()) {
        if (length == most) {
          throw new EOFException("a line of more than " + most + " octets");
        }
        if (length == line.length) {
          line = Arrays.copyOf(line, 2 * length);
        }
        line[length++] = (byte) read;
      }
      int whole = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
      return new String(line, 0, whole, StandardCharsets.US_ASCII);
    }

    private int next() throws IOException {
      if (!isBody) {
        return raw();
      }
      if (leftOfChunk == 0 && !isOver) {
        beginChunk();
      }
      if (isOver) {
        return -1;
      }
      leftOfChunk--;
      return raw();
    }

    private void beginChunk() throws IOException {
      if (!isFirstChunk && (raw() != '\r' || raw() != '\n')) {
        throw new EOFException("a chunk longer than it said");
      }
      isFirstChunk = false;
      StringBuilder size = new StringBuilder();
      for (int read = raw(); read != '\n'; read = raw()) {
        if (size.length() == SIZE_MAX) {
          throw new EOFException("a chunk of unknown length");
        }
        size.append((char) read);
      }
      try {
        leftOfChunk = Integer.parseInt(size.toString().split(";", 2)[0].strip(), 16);
      } catch (NumberFormatException e) {
        throw new IOException("a chunk of unknown length: " + size, e);
      }
      isOver = leftOfChunk == 0;
    }

    /** Nothing ends without being announced. */
    private int raw() throws IOException {
      if (at == end) {
        at = 0;
        end = in.read(buffer);
        if (end <= 0) {
          end = 0;
          throw new EOFException("the answer broke off");
        }
      }
      return buffer[at++];
    }
  }
}
