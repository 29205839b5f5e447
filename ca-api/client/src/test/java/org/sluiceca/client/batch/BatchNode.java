package org.sluiceca.client.batch;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.sluiceca.client.key.KeyKind;
import org.sluiceca.client.key.PemFiles;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A node that answers each line before it reads the next, and issues one certificate for each
 * idempotency key. What a test plants comes instead of a result.
 */
final class BatchNode implements HttpHandler {
  /** As a planted answer: the connection breaks before the result is sent. */
  static final String CUT = "cut";

  private static final JsonMapper MAPPER = JsonMapper.shared();

  private final KeyPair authority = KeyKind.EC_P256.generate();
  private final AtomicInteger serials = new AtomicInteger(0x1000);
  private final Map<String, ObjectNode> issued = new ConcurrentHashMap<>();
  private final Map<String, ObjectNode> orders = new ConcurrentHashMap<>();
  private final List<JsonNode> lines = Collections.synchronizedList(new ArrayList<>());
  private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
  private Function<JsonNode, Optional<String>> planted = line -> Optional.empty();
  private String refusal = "";

  /** Answers a line by this text, line feeds as they are, where there is one. */
  void plant(Function<JsonNode, Optional<String>> answers) {
    planted = answers;
  }

  /** Answers each batch by this status and problem. */
  void refuse(String answer) {
    refusal = answer;
  }

  /** Each line that was read, of all exchanges. */
  List<JsonNode> lines() {
    return List.copyOf(lines);
  }

  /** How many certificates exist. */
  int issued() {
    return issued.size();
  }

  /** Method and path of each request. */
  List<String> calls() {
    return List.copyOf(calls);
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    calls.add(exchange.getRequestMethod() + " " + path);
    if (!path.endsWith(":batch")) {
      exchange.getRequestBody().readAllBytes();
      order(exchange, path.substring(path.lastIndexOf('/') + 1), path.contains("/orders/"));
      return;
    }
    if (!refusal.isEmpty()) {
      exchange.getRequestBody().read();
      answer(exchange, refusal);
      return;
    }
    exchange.getResponseHeaders().add("Content-Type", "application/x-ndjson");
    exchange.sendResponseHeaders(200, 0);
    BufferedReader in =
        new BufferedReader(
            new InputStreamReader(exchange.getRequestBody(), StandardCharsets.UTF_8));
    OutputStream out = exchange.getResponseBody();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      JsonNode request = MAPPER.readTree(line);
      lines.add(request);
      String result = planted.apply(request).orElseGet(() -> result(request) + "\n");
      if (result.equals(CUT)) {
        // A handler that fails has its connection cut.
        throw new IOException("planted");
      }
      out.write(result.getBytes(StandardCharsets.UTF_8));
      out.flush();
    }
    exchange.close();
  }

  private void order(HttpExchange exchange, String id, boolean isOrder) throws IOException {
    ObjectNode certificate = orders.get(id);
    if (certificate == null) {
      answer(exchange, "404 {\"title\":\"Not found\"}");
    } else if (!isOrder) {
      answer(exchange, "200 " + certificate);
    } else if (calls.stream().filter(call -> call.endsWith("/orders/" + id)).count() < 2) {
      answer(exchange, "200 {\"id\":\"" + id + "\",\"status\":\"pending\"}");
    } else {
      answer(exchange, "200 {\"id\":\"" + id + "\",\"status\":\"issued\"}");
    }
  }

  private static void answer(HttpExchange exchange, String answer) throws IOException {
    byte[] body = answer.substring(4).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(Integer.parseInt(answer.substring(0, 3)), body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  /** The result of a line: what was issued for its key before, or a new certificate. */
  ObjectNode result(JsonNode request) {
    ObjectNode result = JsonNodeFactory.instance.objectNode();
    result.put("id", request.path("id").asString()).put("status", 201);
    result.setAll(certificate(request));
    return result;
  }

  /** Accepts a line as an order, which is pending when it is asked for once. */
  String accepted(JsonNode request) {
    String id = Integer.toHexString(serials.incrementAndGet());
    orders.put(id, certificate(request));
    ObjectNode result = JsonNodeFactory.instance.objectNode();
    result.put("id", request.path("id").asString()).put("status", 202);
    return result.put("location", "/v1/orders/" + id).put("retryAfter", 1) + "\n";
  }

  private ObjectNode certificate(JsonNode request) {
    return issued.computeIfAbsent(
        request.path("idempotencyKey").asString(), key -> certificate(request, 3600));
  }

  /** A certificate that ends this many seconds from now, with one above it. */
  ObjectNode certificate(JsonNode request, int seconds) {
    try {
      byte[] der = Base64.getDecoder().decode(request.path("csr").asString());
      String pem = pem(new PKCS10CertificationRequest(der).getSubjectPublicKeyInfo(), seconds);
      String above =
          pem(SubjectPublicKeyInfo.getInstance(authority.getPublic().getEncoded()), 3600);
      ObjectNode node = JsonNodeFactory.instance.objectNode().put("certificate", pem);
      node.putArray("chain").add(above);
      return node;
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private String pem(SubjectPublicKeyInfo key, int seconds) throws IOException {
    try {
      return PemFiles.block(
          "CERTIFICATE",
          new X509v3CertificateBuilder(
                  new X500Name("CN=issuing"),
                  BigInteger.valueOf(serials.incrementAndGet()),
                  Date.from(Instant.now().minusSeconds(60)),
                  Date.from(Instant.now().plusSeconds(seconds)),
                  new X500Name("CN=test"),
                  key)
              .build(new JcaContentSignerBuilder("SHA256withECDSA").build(authority.getPrivate()))
              .getEncoded());
    } catch (OperatorCreationException e) {
      throw new IllegalStateException(e);
    }
  }
}
