import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.util.Locale;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * The desk at which new machines exchange the one-time secret of their seed for their credentials
 * (ADR 0043). Run from its source while machines join: {@code java JoinDesk.java FOLDER ADDRESS PORT}, with
 * what a machine gets on standard input: a tar, held in memory alone.
 *
 * <p>In FOLDER: {@code tls.p12} with the password in {@code tls.password}; {@code
 * invitations/HASH}, named by the SHA-256 of the secret, with the node's name and the second of the epoch
 * until which it holds. The first claim is written next to it as {@code
 * HASH.claim}: the same machine may ask again, another one may not. One line of output for each answer;
 * no secret is in it. One request at a time, each for ten seconds at most.
 */
public final class JoinDesk {
  private static final int BODY_BYTES_MAX = 1024;

  /** PIN, password, and a vendor's keys and configuration: no programs, which belong in the image. */
  private static final int CREDENTIALS_BYTES_MAX = 16 << 20;

  private static final Pattern SECRET = Pattern.compile("[0-9a-f]{64}");

  private final Path folder;
  private final byte[] credentials;

  private JoinDesk(Path folder, byte[] credentials) {
    this.folder = folder;
    this.credentials = credentials;
  }

  public static void main(String[] arguments) throws IOException, GeneralSecurityException {
    Locale.setDefault(Locale.ROOT);
    // Who stalls is cut off, as requests wait for each other.
    System.setProperty("sun.net.httpserver.maxReqTime", "10");
    System.setProperty("sun.net.httpserver.maxRspTime", "60");
    byte[] credentials = System.in.readNBytes(CREDENTIALS_BYTES_MAX + 1);
    if (credentials.length == 0 || credentials.length > CREDENTIALS_BYTES_MAX) {
      throw new IOException("the credentials are empty or above " + CREDENTIALS_BYTES_MAX + " bytes");
    }
    JoinDesk desk = new JoinDesk(Path.of(arguments[0]), credentials);
    InetSocketAddress address =
        new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
    HttpsServer server = HttpsServer.create(address, 16);
    server.setHttpsConfigurator(desk.tls());
    server.createContext("/join", desk::answer);
    server.setExecutor(Executors.newSingleThreadExecutor());
    server.start();
    say("open on " + address.getHostString() + ":" + server.getAddress().getPort());
  }

  private HttpsConfigurator tls() throws IOException, GeneralSecurityException {
    char[] password = Files.readString(folder.resolve("tls.password")).strip().toCharArray();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream file = Files.newInputStream(folder.resolve("tls.p12"))) {
      keys.load(file, password);
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, password);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return new HttpsConfigurator(context) {
      @Override
      public void configure(HttpsParameters parameters) {
        parameters.setProtocols(new String[] {"TLSv1.3"});
      }
    };
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String from = exchange.getRemoteAddress().getAddress().getHostAddress();
      if (!exchange.getRequestMethod().equals("POST")) {
        send(exchange, 405, "POST only");
        return;
      }
      byte[] body = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX + 1);
      Map<String, String> asked = parse(body);
      String refusal = body.length > BODY_BYTES_MAX ? "too long" : refusal(asked);
      if (refusal != null) {
        // What was sent is not repeated: it may be a secret, or anything.
        say("REFUSED " + from + ": " + refusal);
        send(exchange, 403, refusal);
        return;
      }
      exchange.sendResponseHeaders(200, credentials.length);
      exchange.getResponseBody().write(credentials);
      say("joined " + asked.get("node") + " from " + from);
    }
  }

  /** Why the request is refused, or null. A first claim is written before anything is given. */
  private String refusal(Map<String, String> asked) throws IOException {
    String secret = asked.getOrDefault("secret", "");
    String claim = asked.getOrDefault("claim", "");
    if (!SECRET.matcher(secret).matches() || !SECRET.matcher(claim).matches()) {
      return "malformed request";
    }
    Path invitation = folder.resolve("invitations").resolve(sha256(secret));
    List<String> lines;
    try {
      lines = Files.readAllLines(invitation);
    } catch (NoSuchFileException _) {
      return "unknown join secret";
    }
    String node = lines.get(0);
    if (!node.equals(asked.get("node"))) {
      return "this join secret is for node " + node;
    }
    if (Instant.now().getEpochSecond() >= Long.parseLong(lines.get(1))) {
      return "the join secret of node " + node + " has expired: make another seed";
    }
    Path claimed = invitation.resolveSibling(invitation.getFileName() + ".claim");
    String hash = sha256(claim);
    try {
      Files.writeString(claimed, hash, StandardOpenOption.CREATE_NEW, StandardOpenOption.DSYNC);
    } catch (FileAlreadyExistsException _) {
      if (!Files.readString(claimed).equals(hash)) {
        return "the join secret of node "
            + node
            + " was used by another machine: if that was not yours, change PIN and password";
      }
    }
    return null;
  }

  private static Map<String, String> parse(byte[] body) {
    Map<String, String> asked = new HashMap<>();
    for (String line : new String(body, StandardCharsets.US_ASCII).split("\n")) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        asked.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    return asked;
  }

  private static String sha256(String text) {
    try {
      byte[] octets = text.getBytes(StandardCharsets.US_ASCII);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(octets));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void send(HttpExchange exchange, int status, String text) throws IOException {
    byte[] octets = (text + "\n").getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, octets.length);
    exchange.getResponseBody().write(octets);
  }

  private static void say(String line) {
    System.out.println("desk: " + line);
  }
}
