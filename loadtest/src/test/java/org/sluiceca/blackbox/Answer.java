package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What came back. */
final class Answer {

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  /** Class names, exceptions and records of Java, which no client should have to read. */
  private static final String INSIDE = "\\borg\\.[a-z]|Exception|\\w+\\[\\w+=";

  private final int status;
  private final HttpHeaders headers;
  private final byte[] body;

  private Answer(int status, HttpHeaders headers, byte[] body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  static Answer of(HttpResponse<byte[]> response) {
    Answer answer = new Answer(response.statusCode(), response.headers(), response.body());
    if (answer.mediaType().equals("application/problem+json") && answer.body.length > 0) {
      JsonNode problem = answer.json();
      assertThat(problem.path("title").asString("") + "\n" + problem.path("detail").asString(""))
          .as("words of the inside")
          .doesNotContainPattern(INSIDE);
    }
    return answer;
  }

  /** An answer that no server gave: for judges that are judged themselves. */
  static Answer of(int status, Map<String, String> headers, byte[] body) {
    Map<String, List<String>> lists = new TreeMap<>();
    headers.forEach((name, value) -> lists.put(name, List.of(value)));
    return new Answer(status, HttpHeaders.of(lists, (name, value) -> true), body);
  }

  static String json(Object body) {
    return body instanceof String text ? text : MAPPER.writeValueAsString(body);
  }

  int status() {
    return status;
  }

  byte[] body() {
    return body.clone();
  }

  String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  JsonNode json() {
    return MAPPER.readTree(body);
  }

  /** The value of a header; empty if there is none. */
  String header(String name) {
    return headers.firstValue(name).orElse("");
  }

  /** All values of a header; none if it is absent. */
  List<String> headers(String name) {
    return headers.allValues(name);
  }

  /** The media type without parameters; empty if there is none. */
  String mediaType() {
    return header("Content-Type").split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
  }

  /** The last segment of Location: a serial, an order's id, which is the serial too. */
  String locationEnd() {
    String location = header("Location");
    return location.substring(location.lastIndexOf('/') + 1);
  }

  /** Fails unless this is the status; shows the whole answer then. */
  Answer is(int expected) {
    assertThat(status).as(toString()).isEqualTo(expected);
    return this;
  }

  /** Fails unless this is a problem (RFC 9457) of this status and type, with nothing inside. */
  Answer isProblem(int expected, String type) {
    is(expected);
    assertThat(header("Content-Type")).as(toString()).startsWith("application/problem+json");
    JsonNode problem = json();
    assertThat(problem.path("type").asString()).endsWith(type);
    assertThat(problem.path("status").asInt()).isEqualTo(expected);
    assertThat(problem.path("title").asString()).isNotBlank();
    assertThat(problem.path("detail").asString()).isNotBlank().doesNotContain("\n");
    assertThat(problem.path("requestId").asString()).isNotBlank().isEqualTo(header("X-Request-Id"));
    // Neither a stack trace nor a class name.
    assertThat(text()).doesNotContain("Exception", "\tat ", "org.sluiceca", "springframework");
    return this;
  }

  /** The certificate of a JSON answer. */
  X509Certificate certificate() {
    return certificate(json().path("certificate").asString().getBytes(StandardCharsets.US_ASCII));
  }

  static X509Certificate certificate(byte[] pemOrDer) {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(pemOrDer));
    } catch (CertificateException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public String toString() {
    return status + " " + headers.map() + "\n" + text();
  }
}
