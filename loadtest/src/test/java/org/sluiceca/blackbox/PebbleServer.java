package org.sluiceca.blackbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Pebble, Let's Encrypt's ACME server for tests, on loopback, in a folder of its own. */
final class PebbleServer implements AutoCloseable {

  private static final Duration START_LIMIT = Duration.ofMinutes(1);
  private static final Duration END_LIMIT = Duration.ofSeconds(10);

  /** Where its directory is. */
  private static final String DIRECTORY = "/dir";

  private final Path folder;
  private final Process process;
  private final Api api;

  private PebbleServer(Path folder, Process process, Api api) {
    this.folder = folder;
    this.process = process;
    this.api = api;
  }

  /**
   * Starts it; it looks for proofs at {@link ProofServers}.
   *
   * @param bindings whether an account needs an external account binding
   * @param kid of a binding that it knows
   * @param hmacKey of that binding, in base64url
   */
  static PebbleServer start(Path program, boolean bindings, String kid, String hmacKey) {
    Path folder = TrialExtension.newFolder();
    int port = Ports.NODES.free(1);
    try {
      RoundRobin.selfSigned(folder);
      Files.writeString(
          folder.resolve("pebble.json"),
          Answer.json(Map.of("pebble", configuration(folder, port, bindings, kid, hmacKey))));
      ProcessBuilder builder =
          new ProcessBuilder(
                  program.toString(),
                  "-config",
                  folder.resolve("pebble.json").toString(),
                  "-dnsserver",
                  ProofServers.DNS.address())
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("output.txt").toFile());
      builder.environment().putAll(withoutChance());
      Process process = builder.start();
      Api api = Api.trusting(URI.create("https://localhost:" + port), folder.resolve("front.pem"));
      PebbleServer server = new PebbleServer(folder, process, api);
      boolean isUp = false;
      try {
        Poll.until("Pebble answers", START_LIMIT, server::answers);
        isUp = true;
        return server;
      } finally {
        if (!isUp) {
          server.close();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, Object> configuration(
      Path folder, int port, boolean bindings, String kid, String hmacKey) {
    Map<String, Object> configuration = new LinkedHashMap<>();
    configuration.put("listenAddress", "127.0.0.1:" + port);
    configuration.put("certificate", folder.resolve("front.pem").toString());
    configuration.put("privateKey", folder.resolve("front.key").toString());
    configuration.put("httpPort", ProofServers.HTTP_PORT);
    configuration.put("tlsPort", ProofServers.TLS_PORT);
    configuration.put("externalAccountBindingRequired", bindings);
    configuration.put("externalAccountMACKeys", Map.of(kid, hmacKey));
    configuration.put("retryAfter", Map.of("authz", 3, "order", 3));
    configuration.put("keyAlgorithm", "ecdsa");
    configuration.put(
        "profiles",
        Map.of("tls-server", Map.of("description", "for servers", "validityPeriod", 7_776_000)));
    return configuration;
  }

  /**
   * Pebble waits, refuses nonces and uses authorizations again by chance, so that clients learn to
   * cope. A comparison needs the same answer each time.
   */
  private static Map<String, String> withoutChance() {
    return Map.of(
        "PEBBLE_VA_NOSLEEP", "1",
        "PEBBLE_WFE_NONCEREJECT", "0",
        "PEBBLE_AUTHZREUSE", "100",
        "PEBBLE_ALTERNATE_ROOTS", "1",
        "PEBBLE_WFE_ORDERS_PER_PAGE", "100");
  }

  private boolean answers() {
    if (!process.isAlive()) {
      throw new AssertionError("Pebble ended:\n" + log());
    }
    try {
      return api.get(DIRECTORY).status() == 200;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  Api api() {
    return api;
  }

  /** The URL of its directory. */
  String directory() {
    return api.base() + DIRECTORY;
  }

  /** What it has said. */
  String log() {
    try {
      return Files.readString(folder.resolve("output.txt"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(END_LIMIT)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    Trial.delete(folder);
  }
}
