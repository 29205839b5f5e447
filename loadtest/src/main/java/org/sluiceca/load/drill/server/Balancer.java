package org.sluiceca.load.drill.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.page.Text;

/**
 * HAProxy in front of nodes, as operators have it: it passes TLS through and asks each node twice a
 * second whether it is ready. Used by one thread.
 */
public final class Balancer implements AutoCloseable {

  /**
   * Two refusals that are half a second apart, and the time of an answer. One that does not answer
   * at all takes up to 3 s a check.
   */
  public static final Duration NOTICES_WITHIN = Duration.ofSeconds(2);

  private static final Duration END_LIMIT = Duration.ofSeconds(5);

  private final Process process;
  private final int port;

  private Balancer(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts it; the caller closes it.
   *
   * @param program {@code haproxy}
   * @param folder for its configuration and its log
   * @param port that is free
   * @param https the port of node 0; the others' follow
   * @param management that of node 0's health; the others' follow
   */
  public static Balancer start(
      Path program, Path folder, int port, int https, int management, int nodes)
      throws IOException {
    StringBuilder text =
        new StringBuilder(
            Text.format(
                """
            global
              maxconn 256
            defaults
              mode tcp
              timeout connect 2s
              timeout client 60s
              timeout server 60s
              timeout check 3s
              option redispatch
            frontend enrollment
              bind 127.0.0.1:%d
              default_backend nodes
            backend nodes
              balance roundrobin
              option httpchk GET /actuator/health/readiness
              http-check expect status 200
              default-server check inter 500ms fall 2 rise 2
            """,
                port));
    for (int node = 0; node < nodes; node++) {
      text.append(
          Text.format(
              "  server node-%d 127.0.0.1:%d port %d\n", node, https + node, management + node));
    }
    Path file = Files.writeString(folder.resolve("haproxy.cfg"), text);
    Process process =
        new ProcessBuilder(program.toString(), "-db", "-f", file.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("haproxy.log").toFile())
            .start();
    // An interrupted drill must not leave it behind.
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
    return new Balancer(process, port);
  }

  /**
   * Returns where clients find it.
   *
   * @throws TrialException if it has ended
   */
  public int port() {
    if (!process.isAlive()) {
      throw new TrialException("haproxy has ended with " + process.exitValue());
    }
    return port;
  }

  /** Ends it, and with it every connection. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(END_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
