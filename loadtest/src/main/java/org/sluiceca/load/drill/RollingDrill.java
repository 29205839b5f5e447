package org.sluiceca.load.drill;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.sluiceca.load.drill.client.Clients;
import org.sluiceca.load.drill.server.Balancer;
import org.sluiceca.load.drill.server.PostgresServer;
import org.sluiceca.load.drill.server.Servers;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.watch.LedgerRows;
import org.sluiceca.load.watch.NodeAddresses;

/**
 * Two nodes behind a balancer under load: one after the other is stopped in order and started
 * again, as in an upgrade. No client may see a failure.
 */
record RollingDrill(Place place, Place.Terms terms, DrillPage page) {

  private static final int NODES = 2;
  private static final int CLIENTS = 8;

  /** The node's own limits: 20 s for requests in hand, and what closes after them. */
  private static final Duration LEAVES_WITHIN = Duration.ofSeconds(60);

  /** The planted fault: nodes refuse as soon as they are asked to stop. */
  private Duration notice() {
    return terms.isPlanted() ? Duration.ZERO : Balancer.NOTICES_WITHIN.plusSeconds(1);
  }

  /** Plays it; blocks for a start of each node and a minute. */
  void run() throws IOException, GeneralSecurityException, InterruptedException {
    int database = Servers.freePort();
    try (PostgresServer server = place.servers().server("data", database)) {
      server.start(Map.of());
      page.say("starting " + NODES + " nodes");
      Trial trial =
          Trial.start(
              place.with("SLUICE_LINE_LEAVE_NOTICE", notice().toSeconds() + "s"),
              Text.format("jdbc:postgresql://127.0.0.1:%d/sluice", database),
              NODES);
      int port = Servers.freePort();
      try (Balancer balancer =
              Balancer.start(
                  terms.haproxy(),
                  place.work(),
                  port,
                  trial.nodes().httpsPort(),
                  trial.nodes().managementPort(0),
                  NODES);
          Clients clients = clients(trial, balancer)) {
        roll(trial, clients);
        judge(server, clients);
        comeBack(trial, balancer);
      }
      trial.nodes().end();
    }
  }

  private static Clients clients(Trial trial, Balancer balancer) throws InterruptedException {
    // It takes a node for ready when it has said so twice.
    TimeUnit.SECONDS.sleep(Balancer.NOTICES_WITHIN.toSeconds());
    return Clients.obedient(
        trial.tls(), balancer.port(), trial.requests(LedgerRows.newRun("rolling")), CLIENTS);
  }

  private void roll(Trial trial, Clients clients) throws InterruptedException {
    TimeUnit.SECONDS.sleep(terms.seconds());
    for (int node = 0; node < NODES; node++) {
      int before = clients.granted().size();
      long began = System.nanoTime();
      trial.nodes().end(node);
      Duration left = Duration.ofNanos(System.nanoTime() - began);
      page.promise(
          Text.format("node %d leaves in order", node),
          left.compareTo(LEAVES_WITHIN) < 0,
          Text.format(
              "in %s, %d certificates meanwhile, notice %s",
              DrillPage.seconds(left.toMillis() / 1e3),
              clients.granted().size() - before,
              DrillPage.seconds(notice().toMillis() / 1e3)));
      trial.nodes().up(NODES);
      TimeUnit.SECONDS.sleep(Math.max(terms.seconds(), Balancer.NOTICES_WITHIN.toSeconds()));
    }
  }

  private void judge(PostgresServer server, Clients clients) throws InterruptedException {
    boolean isQuiet = clients.stop();
    page.noFailure(clients, isQuiet);
    page.nothingLost(new LedgerView(server), clients);
  }

  /** Kept connections stay at the node that came back first: only who is new is led to both. */
  private void comeBack(Trial trial, Balancer balancer) throws InterruptedException {
    try (NodeAddresses doors = trial.doors()) {
      List<Double> before = issued(doors);
      try (Clients others = clients(trial, balancer)) {
        TimeUnit.SECONDS.sleep(terms.seconds());
        boolean isQuiet = others.stop();
        page.promise(
            "new clients are served",
            isQuiet && others.failures().isEmpty() && !others.granted().isEmpty(),
            Text.format(
                "%d certificates, %d failures", others.granted().size(), others.failures().size()));
      }
      List<Double> after = issued(doors);
      for (int node = 0; node < NODES; node++) {
        double more = after.get(node) - before.get(node);
        page.promise(
            Text.format("node %d is sent new clients", node),
            more > 0,
            Text.format(
                "%.0f certificates, %.0f before since it came back", more, before.get(node)));
      }
    }
  }

  private static List<Double> issued(NodeAddresses doors) {
    return IntStream.range(0, NODES)
        .mapToObj(node -> doors.metrics(node).getOrDefault("ca_issued_total", 0.0))
        .toList();
  }
}
