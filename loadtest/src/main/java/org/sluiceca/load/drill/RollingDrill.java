package org.sluiceca.load.drill;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.drill.client.Clients;
import org.sluiceca.load.drill.server.Balancer;
import org.sluiceca.load.drill.server.PostgresServer;
import org.sluiceca.load.drill.server.Servers;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.watch.LedgerRows;
import org.sluiceca.load.watch.NodeAddresses;

/**
 * Two nodes behind a balancer under load: one after the other is stopped in order and started
 * again, as in an upgrade. No client may see a failure. With a load in percent, requests come at
 * that share of the rate that the two nodes were measured at, and the page has their latencies.
 */
record RollingDrill(Place place, Place.Terms terms, DrillPage page) {

  private static final int NODES = 2;
  private static final int CLIENTS = 8;

  /** Keep two nodes busy; each asks again at once. */
  private static final int HURRIED = 16;

  /** In which clients that have just begun open their connections. */
  private static final int SETTLES_SECONDS = 2;

  /** Requests under way at most: a quarter of the connections that the balancer takes. */
  private static final int AT_RATE = 64;

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
              NODES)) {
        // It takes a node for ready when it has said so twice.
        TimeUnit.SECONDS.sleep(Balancer.NOTICES_WITHIN.toSeconds());
        play(server, trial, balancer);
        comeBack(trial, balancer);
      }
      trial.nodes().end();
    }
  }

  private void play(PostgresServer server, Trial trial, Balancer balancer)
      throws InterruptedException {
    int rate = terms.loadPercent() == 0 ? 0 : rate(trial, balancer);
    Clients.Requests requests = trial.requests(LedgerRows.newRun("rolling"));
    try (Clients clients =
        rate == 0
            ? Clients.obedient(trial.tls(), balancer.port(), requests, CLIENTS)
            : Clients.atRate(trial.tls(), balancer.port(), requests, rate, AT_RATE)) {
      RestartFigures figures = new RestartFigures();
      roll(trial, clients, figures);
      long end = System.nanoTime();
      judge(server, clients);
      if (rate > 0) {
        figures.show(clients.waits(), end, page);
      }
    }
  }

  /** Measures what both nodes give, and returns the share of it that is offered, 1 or more. */
  private int rate(Trial trial, Balancer balancer) throws InterruptedException {
    Clients.Requests requests = trial.requests(LedgerRows.newRun("measure"));
    try (Clients hurried = Clients.hurried(trial.tls(), balancer.port(), requests, HURRIED)) {
      // Nodes that have just started are slower.
      TimeUnit.SECONDS.sleep(terms.seconds());
      int before = hurried.granted().size();
      long began = System.nanoTime();
      TimeUnit.SECONDS.sleep(terms.seconds());
      int given = hurried.granted().size() - before;
      double rate = given / ((System.nanoTime() - began) / 1e9);
      boolean isQuiet = hurried.stop();
      if (given == 0 || !isQuiet || !hurried.failures().isEmpty()) {
        throw new TrialException(
            "no rate could be measured before the restarts: "
                + given
                + " certificates"
                + Clients.Failure.list(hurried.failures(), DrillPage.FAILURES_SHOWN));
      }
      int offered = Math.max(1, (int) Math.round(rate * terms.loadPercent() / 100));
      page.figure(
          "both nodes",
          Text.format(
              "%.0f certificates/s, %d clients that ask again at once, %d put off",
              rate, HURRIED, hurried.putOff()));
      page.figure("offered", Text.format("%d/s, %d %% of it", offered, terms.loadPercent()));
      return offered;
    }
  }

  private void roll(Trial trial, Clients clients, RestartFigures figures)
      throws InterruptedException {
    TimeUnit.SECONDS.sleep(SETTLES_SECONDS);
    figures.begin("before the restarts", System.nanoTime());
    TimeUnit.SECONDS.sleep(terms.seconds());
    for (int node = 0; node < NODES; node++) {
      int before = clients.granted().size();
      long began = System.nanoTime();
      figures.begin(Text.format("while node %d leaves", node), began);
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
      figures.begin(Text.format("while node %d comes back", node), System.nanoTime());
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
      Clients.Requests requests = trial.requests(LedgerRows.newRun("rolling"));
      try (Clients others = Clients.obedient(trial.tls(), balancer.port(), requests, CLIENTS)) {
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
