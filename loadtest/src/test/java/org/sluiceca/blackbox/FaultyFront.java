package org.sluiceca.blackbox;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import tools.jackson.databind.json.JsonMapper;

/**
 * A proxy with TLS in front of nodes, which get requests in turn. By a seed it does to some POSTs
 * what bad networks and busy nodes do.
 */
final class FaultyFront implements AutoCloseable {

  /** What may happen to a POST. */
  enum Fault {
    /** 400 with a fresh nonce, and the request is not forwarded. */
    BAD_NONCE,
    /** It arrives later. */
    DELAY,
    /** The connection ends, and the request is not forwarded. */
    CUT_BEFORE,
    /** The request is answered, and the connection ends instead of the answer. */
    CUT_AFTER
  }

  /** Made by this server itself, or about one connection alone. */
  private static final Set<String> OWN_HEADERS =
      Set.of("connection", "content-length", "date", "keep-alive", "transfer-encoding");

  private static final long DELAY_NANOS = 100_000_000;

  private final HttpsServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final IntFunction<Api> nodes;
  private final Path folder;
  private final Api api;
  private final Map<Fault, Integer> percent;
  private final Random random;
  private final AtomicInteger turn = new AtomicInteger();
  private final Map<Fault, AtomicInteger> counts = new EnumMap<>(Fault.class);
  private final Set<String> received = ConcurrentHashMap.newKeySet();
  private final Set<String> cut = ConcurrentHashMap.newKeySet();

  private FaultyFront(
      HttpsServer server,
      Path folder,
      IntFunction<Api> nodes,
      Map<Fault, Integer> percent,
      long seed) {
    this.server = server;
    this.folder = folder;
    this.nodes = nodes;
    this.percent = Map.copyOf(percent);
    this.random = new Random(seed);
    this.api =
        Api.trusting(
            URI.create("https://localhost:" + server.getAddress().getPort()), certificate());
    for (Fault fault : Fault.values()) {
      counts.put(fault, new AtomicInteger());
    }
  }

  /**
   * Starts it.
   *
   * @param nodes the node for a number of a request
   * @param percent of the POSTs that a fault happens to
   */
  static FaultyFront start(
      int port, IntFunction<Api> nodes, Map<Fault, Integer> percent, long seed) {
    Path folder = TrialExtension.newFolder();
    try {
      RoundRobin.selfSigned(folder);
      HttpsServer server =
          HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      server.setHttpsConfigurator(new HttpsConfigurator(tls(folder)));
      FaultyFront front = new FaultyFront(server, folder, nodes, percent, seed);
      server.createContext("/", front::handle);
      server.setExecutor(front.threads);
      server.start();
      return front;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SSLContext tls(Path folder) throws IOException {
    char[] noPassword = new char[0];
    Path pem = folder.resolve("front.pem");
    Path store =
        new Csr(pem, folder.resolve("front.key"), "localhost")
            .pkcs12(folder, Files.readString(pem));
    try {
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(KeyStore.getInstance(store.toFile(), noPassword), noPassword);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** A client of it without a credential. */
  Api api() {
    return api;
  }

  /** What its clients trust. */
  Path certificate() {
    return folder.resolve("front.pem");
  }

  /** Returns to how many requests a fault has happened. */
  int count(Fault fault) {
    return Optional.ofNullable(counts.get(fault)).orElseThrow().get();
  }

  /** The nonces of the POSTs that arrived whole. */
  Set<String> received() {
    return Set.copyOf(received);
  }

  /** The nonces of the POSTs whose connection was cut. */
  Set<String> cut() {
    return Set.copyOf(cut);
  }

  private synchronized Optional<Fault> draw() {
    int drawn = random.nextInt(100);
    for (Fault fault : Fault.values()) {
      int share = percent.getOrDefault(fault, 0);
      if (drawn < share) {
        return Optional.of(fault);
      }
      drawn -= share;
    }
    return Optional.empty();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange;
        InputStream in = exchange.getRequestBody()) {
      byte[] body = in.readAllBytes();
      Optional<Fault> fault =
          exchange.getRequestMethod().equals("POST") ? draw() : Optional.empty();
      fault.ifPresent(f -> Optional.ofNullable(counts.get(f)).orElseThrow().incrementAndGet());
      if (exchange.getRequestMethod().equals("POST")) {
        String nonce = nonce(body);
        received.add(nonce);
        if (fault.filter(f -> f == Fault.CUT_BEFORE || f == Fault.CUT_AFTER).isPresent()) {
          cut.add(nonce);
        }
      }
      Api node = nodes.apply(turn.getAndIncrement());
      if (fault.equals(Optional.of(Fault.BAD_NONCE))) {
        refuse(exchange, node);
        return;
      }
      if (fault.equals(Optional.of(Fault.CUT_BEFORE))) {
        return;
      }
      if (fault.equals(Optional.of(Fault.DELAY))) {
        LockSupport.parkNanos(DELAY_NANOS);
      }
      HttpResponse<byte[]> answer = forward(exchange, node, body);
      if (!fault.equals(Optional.of(Fault.CUT_AFTER))) {
        pass(exchange, answer);
      }
    }
  }

  /** No two requests have the same. */
  private static String nonce(byte[] jws) {
    JsonMapper mapper = JsonMapper.shared();
    String header = mapper.readTree(jws).path("protected").asString();
    return mapper.readTree(Base64.getUrlDecoder().decode(header)).path("nonce").asString();
  }

  private static HttpResponse<byte[]> forward(HttpExchange exchange, Api node, byte[] body)
      throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(node.base().resolve(exchange.getRequestURI().toString()))
            .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    if (type != null) {
      request.header("Content-Type", type);
    }
    try {
      return node.client().send(request.build(), BodyHandlers.ofByteArray());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static void pass(HttpExchange exchange, HttpResponse<byte[]> answer) throws IOException {
    answer
        .headers()
        .map()
        .forEach(
            (name, values) -> {
              if (!OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> exchange.getResponseHeaders().add(name, value));
              }
            });
    int length = answer.body().length;
    exchange.sendResponseHeaders(answer.statusCode(), length == 0 ? -1 : length);
    if (length > 0) {
      exchange.getResponseBody().write(answer.body());
    }
  }

  private static void refuse(HttpExchange exchange, Api node) throws IOException {
    String nonce =
        node.send("HEAD", "/acme/trial/new-nonce", BodyPublishers.noBody())
            .is(200)
            .header("Replay-Nonce");
    byte[] problem =
        Answer.json(
                Map.of(
                    "type",
                    "urn:ietf:params:acme:error:badNonce",
                    "detail",
                    "planted",
                    "status",
                    400))
            .getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/problem+json");
    exchange.getResponseHeaders().add("Replay-Nonce", nonce);
    exchange.sendResponseHeaders(400, problem.length);
    exchange.getResponseBody().write(problem);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    Trial.delete(folder);
  }
}
