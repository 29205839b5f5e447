import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Stands in for a node in the launcher's own tests: the same environment in, the same ports out, answers chosen by the
 * profile's name. It proves the launcher only; the service is proven by its own tests.
 */
public final class StandIn {
  private static final String SERIAL = "01" + "0".repeat(34) + "2a";

  private final Map<String, AtomicInteger> tries = new ConcurrentHashMap<>();
  private final AtomicInteger looks = new AtomicInteger();
  private final AtomicInteger jobLooks = new AtomicInteger();
  private final AtomicInteger jobs = new AtomicInteger();
  private final byte[] chain;

  private StandIn(byte[] chain) {
    this.chain = chain;
  }

  public static void main(String[] arguments) throws Exception {
    if (System.getProperty("spring.context.exit") != null) {
      return;
    }
    Path state = Path.of(environment("SLUICE_STATE_DIR"));
    if (Files.exists(state.resolveSibling("refuse-to-start"))) {
      System.out.println("sluice: the token refused the PIN");
      System.exit(1);
    }
    Path fixture = Path.of(StandIn.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    StandIn standIn = new StandIn(Files.readAllBytes(fixture.resolveSibling("tls.pem")));
    standIn.serve(fixture.resolveSibling("tls.p12"));
    HttpServer management =
        HttpServer.create(
            new InetSocketAddress(environment("MANAGEMENT_SERVER_ADDRESS"), number("MANAGEMENT_SERVER_PORT")), 0);
    management.createContext("/actuator/health/readiness", e -> answer(e, 200, "{\"components\":{\"profiles\":{\"details\":{\"refused\":{\"web\":\"issuer \\\"x\\\" is {not} here\"}},\"status\":\"UP\"}},\"status\":\"UP\"}"));
    management.createContext(
        "/actuator/prometheus",
        e ->
            answer(
                e,
                200,
                "ca_sign_queue_depth{lane=\"interactive\"} 3.0\nca_sign_queue_depth{lane=\"bulk\"} 4.0\n"
                    + "ca_sign_queue_capacity{lane=\"interactive\"} 256.0\nca_hsm_inflight{hsm=\"a\"} 1\n"
                    + "ca_hsm_inflight_limit{hsm=\"a\"} 8\nca_issued_total{profile=\"tls-server\",alg=\"EC\"} 5.0\n"));
    management.start();
    // A node writes its log into the file that the launcher names.
    Files.writeString(
        Path.of(environment("LOGGING_FILE_NAME")),
        "stand-in " + environment("SLUICE_NODE_NAME") + " listens\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private void serve(Path keyStore) throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keyStore)) {
      keys.load(in, "stand-in".toCharArray());
    }
    KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
    managers.init(keys, "stand-in".toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), new TrustManager[] {new AnyClient()}, null);
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(environment("SERVER_ADDRESS"), number("SERVER_PORT")), 0);
    server.setHttpsConfigurator(new ClientsMayProve(context));
    server.createContext("/v1/certificates", this::certificates);
    server.createContext("/v1/orders/", this::order);
    server.createContext("/v1/revocations", this::revocations);
    server.createContext("/v1/approvals", StandIn::approvals);
    server.createContext("/v1/capacity", StandIn::capacity);
    server.start();
  }

  /** Asks for a client's certificate and does without. */
  private static final class ClientsMayProve extends HttpsConfigurator {
    ClientsMayProve(SSLContext context) {
      super(context);
    }

    @Override
    public void configure(HttpsParameters parameters) {
      SSLParameters mayProve = getSSLContext().getDefaultSSLParameters();
      mayProve.setWantClientAuth(true);
      parameters.setSSLParameters(mayProve);
    }
  }

  /** Believes any certificate: what counts is that one came. */
  private static final class AnyClient implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  /** A request that waits, asked for by the caller: the name in its certificate, or its header. */
  private static void approvals(HttpExchange exchange) throws IOException {
    String by = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
    try {
      by += " " + ((HttpsExchange) exchange).getSSLSession().getPeerPrincipal().getName();
    } catch (SSLPeerUnverifiedException e) {
      by += " no-certificate";
    }
    answer(
        exchange,
        200,
        "[{\"id\":\"00000000-0000-4000-8000-00000000002a\",\"action\":\"x\",\"status\":\"pending\",\"askedBy\":\"" + by
            + "\",\"askedAt\":\"T\"}]");
  }

  /** Answers the tokens that the ceremony has made. */
  private static void capacity(HttpExchange exchange) throws IOException {
    String by = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
    if (by.equals("Bearer admin-token") || by.equals("Bearer enroll-token")) {
      answer(exchange, 200, "{}");
    } else {
      problem(exchange, 401, "Unauthorized", "no such token");
    }
  }

  /** Three certificates of each requester but `unknown`; a job has ended when it is read a second time. */
  private void revocations(HttpExchange exchange) throws IOException {
    String wish = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String id = "00000000-0000-4000-8000-00000000002a";
    if (!"Bearer admin-token".equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
      problem(exchange, 403, "Forbidden", "only officers");
    } else if (exchange.getRequestMethod().equals("GET")) {
      String status = jobLooks.incrementAndGet() < 2 ? "running" : "done";
      answer(exchange, 200, job(id, status));
    } else if (wish.contains("\"dryRun\":true")) {
      answer(
          exchange,
          200,
          "{\"byRequester\": {\"count\": 9, \"r-1\": 2}, \"count\": "
              + (wish.contains("unknown") ? 0 : 3)
              + ",\"onHold\":1,\"refused\":0,\"asOf\":\"2026-01-31T12:00:00Z\",\"confirmation\":\""
              + "0a".repeat(32)
              + "\",\"byProfile\":{\"tls-server\":3}}");
    } else if (wish.contains("\"confirmation\":\"" + "0a".repeat(32))) {
      jobs.incrementAndGet();
      exchange.getResponseHeaders().add("Location", "/v1/revocations/" + id);
      answer(exchange, 202, job(id, "pending"));
    } else {
      problem(exchange, 409, "Conflict", "no dry run");
    }
  }

  private String job(String id, String status) {
    return "{\"id\":\"" + id + "\",\"status\":\"" + status + "\",\"selected\":3,\"revoked\":2,\"alreadyRevoked\":1,\"started\":"
        + jobs.get() + "}";
  }

  private void certificates(HttpExchange exchange) throws IOException {
    String query = String.valueOf(exchange.getRequestURI().getQuery());
    String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
    String bearer = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
    boolean isRead = exchange.getRequestMethod().equals("GET");
    if (!bearer.equals("Bearer enroll-token") && !(isRead && bearer.equals("Bearer admin-token"))) {
      problem(exchange, 401, "Unauthorized", "no such token");
    } else if (query.startsWith("limit=")) {
      find(exchange, query);
    } else if (exchange.getRequestMethod().equals("GET")) {
      answer(exchange, 200, chain);
    } else if (query.endsWith("=busy") && tries.computeIfAbsent(key, k -> new AtomicInteger()).incrementAndGet() < 3) {
      // Counted by key: a client that made a new key for each try would never get through.
      exchange.getResponseHeaders().add("Retry-After", "1");
      problem(exchange, 503, "Saturated", "the lane is full");
    } else if (query.endsWith("=away") && tries.computeIfAbsent(key, k -> new AtomicInteger()).incrementAndGet() < 2) {
      exchange.getResponseHeaders().add("Retry-After", "1");
      answer(exchange, 503, "{\"type\":\"/problems/database-unavailable\",\"title\":\"The database does not answer\",\"status\":503}");
    } else if (query.endsWith("=full")) {
      exchange.getResponseHeaders().add("Retry-After", "20");
      problem(exchange, 429, "Quota", "20 requests a minute");
    } else if (query.endsWith("=refused")) {
      problem(exchange, 422, "Weak key", "RSA-1024 is \\\"too short\\\"");
    } else if (query.endsWith("=slow")) {
      exchange.getResponseHeaders().add("Retry-After", "1");
      exchange.getResponseHeaders().add("Location", "/v1/orders/" + SERIAL);
      answer(exchange, 202, "{\"status\":\"pending\"}");
    } else {
      exchange.getResponseHeaders().add("Location", "/v1/certificates/" + SERIAL);
      answer(exchange, 201, chain);
    }
  }

  /** Two pages of one certificate, and an empty one between them. */
  private static void find(HttpExchange exchange, String query) throws IOException {
    if (!query.contains("san=www.*")) {
      problem(exchange, 400, "Odd", "what is that?");
    } else if (query.endsWith("&cursor=again")) {
      answer(exchange, 200, "{\"certificates\":[],\"next\":\"last\"}");
    } else if (query.endsWith("&cursor=last")) {
      answer(exchange, 200, "{\"certificates\":[" + found("01bb") + "]}");
    } else {
      answer(exchange, 200, "{\"certificates\":[" + found("01aa") + "],\"next\":\"again\"}");
    }
  }

  private static String found(String serial) {
    return "{\"serial\":\"" + serial + "\",\"status\":\"valid\",\"subject\":\"CN=www\","
        + "\"notAfter\":\"2027-01-01T00:00:00Z\",\"profile\":\"tls-server\",\"requester\":\"web\"}";
  }

  private void order(HttpExchange exchange) throws IOException {
    boolean pending = looks.incrementAndGet() < 2;
    if (pending) {
      exchange.getResponseHeaders().add("Retry-After", "1");
    }
    answer(exchange, 200, "{ \"status\" : \"" + (pending ? "pending" : "issued") + "\", \"position\": 1 }");
  }

  private static void problem(HttpExchange exchange, int status, String title, String detail) throws IOException {
    answer(exchange, status, "{\"title\":\"" + title + "\",\"status\":" + status + ",\"detail\":\"" + detail + "\"}");
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    answer(exchange, status, body.getBytes(StandardCharsets.UTF_8));
  }

  private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.getRequestBody().readAllBytes();
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static int number(String name) {
    return Integer.parseInt(environment(name));
  }

  private static String environment(String name) {
    String value = System.getenv(name);
    if (value == null) {
      throw new IllegalStateException(name + " is not set");
    }
    return value;
  }
}
