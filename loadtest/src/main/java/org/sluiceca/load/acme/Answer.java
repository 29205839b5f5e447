package org.sluiceca.load.acme;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An answer of HTTP/1.1.
 *
 * @param headers by name in lower case; of a repeated one the last
 */
public record Answer(int status, Map<String, String> headers, String body) {

  private static final JsonMapper JSON = JsonMapper.shared();

  /** A chain of certificates is the longest. */
  private static final int BODY_MAX = 1 << 20;

  private static final int LINE_MAX = 16 * 1024;
  private static final String CLOSE = "close";

  /**
   * Reads one answer.
   *
   * @param isHead whether it has no body, whatever its headers say
   * @throws IOException if the connection ends, or what comes is no answer
   */
  static Answer read(InputStream in, boolean isHead) throws IOException {
    String[] first = line(in).split(" ", 3);
    if (first.length < 2 || !first[0].startsWith("HTTP/1.") || !first[1].matches("[1-5][0-9]{2}")) {
      throw new IOException("no status line");
    }
    int status = Integer.parseInt(first[1]);
    Map<String, String> headers = new HashMap<>();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      if (colon < 0) {
        throw new IOException("a header without a colon");
      }
      headers.put(lower(line.substring(0, colon)), line.substring(colon + 1).strip());
    }
    byte[] body = isHead || status == 204 ? new byte[0] : body(in, headers);
    return new Answer(status, Map.copyOf(headers), new String(body, StandardCharsets.UTF_8));
  }

  /** The answer to the JDK's client. */
  public static Answer of(HttpResponse<String> answer) {
    Map<String, String> headers = new HashMap<>();
    answer.headers().map().forEach((name, all) -> headers.put(lower(name), all.getLast()));
    return new Answer(answer.statusCode(), Map.copyOf(headers), answer.body());
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  private static byte[] body(InputStream in, Map<String, String> headers) throws IOException {
    if (!headers.getOrDefault("transfer-encoding", "").equals("chunked")) {
      return octets(in, Integer.parseInt(headers.getOrDefault("content-length", "0")));
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      int length = Integer.parseInt(line(in), 16);
      body.writeBytes(octets(in, length));
      String end = line(in);
      if (!end.isEmpty() || body.size() > BODY_MAX) {
        throw new IOException("a chunk without an end, or a body that is too long");
      }
      if (length == 0) {
        return body.toByteArray();
      }
    }
  }

  private static byte[] octets(InputStream in, int length) throws IOException {
    if (length < 0 || length > BODY_MAX) {
      throw new IOException("a body of " + length + " octets");
    }
    byte[] octets = in.readNBytes(length);
    if (octets.length < length) {
      throw new EOFException("the connection ended within a body");
    }
    return octets;
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder(64);
    for (int octet = in.read(); octet != '\n'; octet = in.read()) {
      if (octet < 0 || line.length() > LINE_MAX) {
        throw new EOFException("the connection ended within a line, or the line is too long");
      }
      if (octet != '\r') {
        line.append((char) octet);
      }
    }
    return line.toString();
  }

  /**
   * Returns the value of a header.
   *
   * @param name in lower case
   */
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  /** Returns how long to wait, which this CA says in seconds (RFC 9110 10.2.3). */
  public Optional<Duration> retryAfter() {
    return header("retry-after").map(Long::parseLong).map(Duration::ofSeconds);
  }

  /** Whether the nonce was not known or not fresh (RFC 8555 6.5): it is sent again with another. */
  public boolean isBadNonce() {
    return status == 400 && body.contains("urn:ietf:params:acme:error:badNonce");
  }

  /** Whether the server ends the connection. */
  boolean isLast() {
    return headers.getOrDefault("connection", "").equalsIgnoreCase(CLOSE);
  }

  /**
   * Reads the body.
   *
   * @throws IOException if it is no JSON
   */
  public JsonNode json() throws IOException {
    try {
      return JSON.readTree(body);
    } catch (JacksonException e) {
      throw new IOException("status " + status + " with a body that is no JSON", e);
    }
  }

  /** The body for a message, as far as it fits a line. */
  public String text() {
    String text = body.replaceAll("\\s+", " ");
    return "status " + status + ": " + text.substring(0, Math.min(300, text.length()));
  }
}
