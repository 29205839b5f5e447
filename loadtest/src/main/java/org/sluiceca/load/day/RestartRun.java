package org.sluiceca.load.day;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.sluiceca.load.call.Wait;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.watch.TrialNodes;

/** Stops all nodes in order, starts them again, and measures how long node 0 took. */
record RestartRun(TrialNodes nodes) {

  private static final Duration LOOK = Duration.ofMillis(25);
  private static final Duration LIMIT = Duration.ofSeconds(2);

  /**
   * Returns the seconds from the start of node 0's process until it said that it was ready; blocks
   * until all nodes are.
   */
  double seconds() {
    nodes.end();
    CompletableFuture<Instant> ready = new CompletableFuture<>();
    Thread watcher = Thread.ofVirtual().start(() -> watch(ready));
    try {
      nodes.up(nodes.count());
      Instant at = ready.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
      // The launcher writes it when it has started the process; the kernel's time of a process's
      // start is that of the boot, which is known to a second.
      Instant began = Files.getLastModifiedTime(nodes.file("node-0.pid")).toInstant();
      return Duration.between(began, at).toMillis() / 1e3;
    } catch (InterruptedException e) {
      throw Wait.interrupted(e);
    } catch (ExecutionException | TimeoutException | IOException e) {
      throw new TrialException("node 0 was not seen to be ready", e);
    } finally {
      watcher.interrupt();
    }
  }

  private void watch(CompletableFuture<Instant> ready) {
    URI uri =
        URI.create("http://127.0.0.1:" + nodes.managementPort(0) + "/actuator/health/readiness");
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(LIMIT).build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      while (!isReady(client, request)) {
        Thread.sleep(LOOK);
      }
      boolean ignored = ready.complete(Instant.now());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isReady(HttpClient client, HttpRequest request)
      throws InterruptedException {
    try {
      return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }
}
