package org.sluiceca.client.http.stream;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.output.Failure;
import org.sluiceca.client.proxy.Proxies;
import org.sluiceca.client.proxy.Tunnel;

/**
 * One POST on a connection of its own, whose answer is read while the body is sent. The JDK's
 * HttpClient cannot do that over HTTP/1.1: it reads no answer before the body is sent, and a batch
 * is read only as fast as its results are taken, so that both sides would wait for each other.
 */
public final class StreamedExchange implements AutoCloseable {
  /** A line of a batch has its result within 90 s (docs/protocols/REST.md), and some time more. */
  private static final int SILENCE_MILLIS = 150_000;

  /** The service ends a batch after an hour; what is sent octet by octet must end as well. */
  private static final Duration WHOLE = Duration.ofMinutes(70);

  private static final Duration WRITER_ENDS = Duration.ofSeconds(10);
  private static final int HTTPS = 443;
  private static final int OK = 200;
  private static final int PROBLEM_MAX = 64 << 10;

  private final URI url;
  private final Socket plain;
  private final SSLSocket socket;
  private final InputStream in;
  private volatile boolean hasHead;
  private final AtomicReference<@Nullable RuntimeException> fault = new AtomicReference<>();

  /**
   * How an answer ended.
   *
   * @param status of HTTP
   * @param headers of HTTP
   * @param body of a refusal, cut at 64 KiB; empty with status 200
   */
  @SuppressWarnings("ArrayRecordComponent") // Read by this module alone, which changes none.
  public record Answer(int status, HttpHeaders headers, byte[] body) {}

  private StreamedExchange(URI url, Socket plain, SSLSocket socket) throws IOException {
    this.url = url;
    this.plain = plain;
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream());
  }

  /**
   * Connects to a node, by a proxy where one leads there, and checks its certificate.
   *
   * @throws ConnectException if nothing answers there
   */
  public static StreamedExchange open(URI url, SSLContext context, Proxies proxies)
      throws IOException {
    Socket plain = Tunnel.open(url, proxies);
    try {
      // As names and certificates have it: without the brackets of an IPv6 address.
      String host = url.getHost().replace("[", "").replace("]", "");
      plain.setSoTimeout(SILENCE_MILLIS);
      plain.setTcpNoDelay(true);
      SSLSocket socket =
          (SSLSocket) context.getSocketFactory().createSocket(plain, host, port(url), true);
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      return new StreamedExchange(url, plain, socket);
    } catch (IOException e) {
      plain.close();
      throw e;
    }
  }

  private static int port(URI url) {
    return url.getPort() < 0 ? HTTPS : url.getPort();
  }

  /**
   * Sends the call's body and hands over that of the answer; blocks until the answer ends.
   *
   * @param headers of the request, without those that frame it
   * @return the answer, with its body unless its status is 200
   * @throws IOException if the connection breaks, or the answer is no HTTP
   */
  public Answer run(String path, Map<String, String> headers, StreamedCall call)
      throws IOException {
    StringBuilder head =
        new StringBuilder("POST " + path + " HTTP/1.1\r\nHost: " + url.getRawAuthority() + "\r\n");
    headers.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
    head.append("Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n");
    Thread writer = Thread.ofVirtual().unstarted(() -> write(head.toString(), call));
    writer.start();
    Thread limit = Thread.ofVirtual().start(this::cutWhenOver);
    try {
      return read(call);
    } catch (IOException e) {
      RuntimeException cause = fault.get();
      if (cause != null) {
        throw cause;
      }
      throw e;
    } finally {
      limit.interrupt();
      end(writer);
    }
  }

  /** An octet now and then is an answer for the socket, and none for who waits. */
  private void cutWhenOver() {
    try {
      Thread.sleep(Duration.ofMillis(SILENCE_MILLIS));
      if (hasHead) {
        Thread.sleep(WHOLE);
      }
      cut();
    } catch (InterruptedException e) {
      // The exchange has ended in time.
      Thread.currentThread().interrupt();
    }
  }

  /** What breaks while this sends is seen where the answer is read. */
  private void write(String head, StreamedCall call) {
    try {
      OutputStream out = socket.getOutputStream();
      out.write(head.getBytes(StandardCharsets.ISO_8859_1));
      for (byte[] part = call.next(); part != null; part = call.next()) {
        out.write(chunk(part));
      }
      out.write("0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) { // The thread that waits for the answer has to report it.
      fault.set(e);
      cut();
    }
  }

  private static byte[] chunk(byte[] part) {
    byte[] size = (Integer.toHexString(part.length) + "\r\n").getBytes(StandardCharsets.US_ASCII);
    byte[] chunk = new byte[size.length + part.length + 2];
    System.arraycopy(size, 0, chunk, 0, size.length);
    System.arraycopy(part, 0, chunk, size.length, part.length);
    chunk[chunk.length - 2] = '\r';
    chunk[chunk.length - 1] = '\n';
    return chunk;
  }

  private Answer read(StreamedCall call) throws IOException {
    AnswerHead head = AnswerHead.read(in);
    hasHead = true;
    InputStream body = head.body(in);
    if (head.status() != OK) {
      return new Answer(head.status(), head.headers(), body.readNBytes(PROBLEM_MAX));
    }
    String type = head.headers().firstValue("Content-Type").orElse("");
    if (!type.startsWith("application/x-ndjson")) {
      throw Failure.of("the answer is not JSON lines: is this the URL of a Sluice service?");
    }
    call.answer(body);
    return new Answer(head.status(), head.headers(), new byte[0]);
  }

  private void end(Thread writer) {
    // Closing TLS first would wait for a writer that may itself wait for the node.
    cut();
    writer.interrupt();
    try {
      boolean _ = writer.join(WRITER_ENDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.of("interrupted");
    }
  }

  private void cut() {
    try {
      plain.close();
    } catch (IOException e) {
      // It is closed as far as it can be.
      return;
    }
  }

  @Override
  public void close() {
    cut();
  }
}
