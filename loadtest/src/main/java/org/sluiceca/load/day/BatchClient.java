package org.sluiceca.load.day;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Sends batches to nodes of this machine, each on a connection of its own, and reads results while
 * it sends: a node reads only as fast as it answers, so a client that sends all first would
 * deadlock. It speaks HTTP/1.0, of which the end of the connection is that of the answer.
 * Thread-safe.
 */
record BatchClient(SSLSocketFactory factory) {

  private static final int CONNECT_MILLIS = 10_000;

  /** A line has its result within 90 s (docs/protocols/REST.md); some more on a busy machine. */
  private static final int PATIENCE_MILLIS = 150_000;

  private static final int BUFFER = 65_536;

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
          ("POST /v1/certificates:batch HTTP/1.0\r\nHost: localhost\r\n"
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

  /** Reads an answer. A line that misses its end is not handed over. */
  static int read(InputStream in, Consumer<String> results) throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII), BUFFER);
    String status = String.valueOf(lines.readLine());
    if (!status.matches("HTTP/1.[01] [0-9]{3}.*")) {
      throw new EOFException("no status line: " + status);
    }
    int code = Integer.parseInt(status.substring(9, 12));
    for (String head = lines.readLine(); head == null || !head.isEmpty(); head = lines.readLine()) {
      if (head == null) {
        throw new EOFException("an answer without its head");
      }
    }
    for (String line = lines.readLine(); code == 200 && line != null; line = lines.readLine()) {
      if (!line.endsWith("}")) {
        throw new EOFException("the answer broke off");
      }
      results.accept(line);
    }
    return code;
  }
}
