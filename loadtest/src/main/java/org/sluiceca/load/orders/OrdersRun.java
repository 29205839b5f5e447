package org.sluiceca.load.orders;

import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import javax.net.ssl.SSLContext;
import org.sluiceca.load.CsrCorpus;
import org.sluiceca.load.call.Wait;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.watch.Calibrations;
import org.sluiceca.load.watch.HsmDevices;
import org.sluiceca.load.watch.HsmFigures;
import org.sluiceca.load.watch.HsmMaker;
import org.sluiceca.load.watch.LedgerRows;
import org.sluiceca.load.watch.NodeAddresses;
import org.sluiceca.load.watch.TrialNodes;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends a number of orders to the nodes of a plan, equally many of each of its requesters, kills a
 * node now and then, and waits until every order has ended. The caller ends the trial.
 */
public record OrdersRun(
    Plan plan, TrialNodes nodes, HsmMaker maker, int orders, PrintStream progress) {

  private static final int CSRS = 2000;
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final int LOOKS_TOLD = 15;

  /** A node is back before the next dies. */
  private static final Duration LIVES_LEAST = Duration.ofSeconds(15);

  private static final int LIVES_MORE_SECONDS = 30;

  /** Beyond the time that the HSM needs: for nodes that die, and claims that run out. */
  private static final Duration PATIENCE = Duration.ofMinutes(20);

  /**
   * Runs it; blocks for as long as the HSM needs for all orders, and twenty minutes more at most.
   */
  public OrdersResult run() throws IOException, GeneralSecurityException {
    HsmDevices hsms = maker.make();
    nodes.up(plan.nodes().count());
    Calibrations.require(maker.measuredNames(), nodes);
    SSLContext context = nodes.tls();
    String run = LedgerRows.newRun("orders");
    List<String> requests = CsrCorpus.make(CSRS);
    List<String> names = List.copyOf(plan.requesters().keySet());
    int each = orders / names.size();
    List<BatchSender> senders = new ArrayList<>();
    try (NodeAddresses doors = new NodeAddresses(nodes, context);
        HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
      for (String name : names) {
        String token = doors.register(name, "tls-server");
        String prefix = run + "-" + name + "-";
        senders.add(new BatchSender(client, port(), token, prefix, requests, each));
      }
      var ignored = hsms.figures(true);
      long began = System.nanoTime();
      Chaos chaos = new Chaos(nodes, new Random(7), progress);
      double sent = play(senders, doors, chaos, began);
      double seconds = (System.nanoTime() - began) / 1e9;
      Map<String, HsmFigures> figures = hsms.figures(false);
      return new OrdersResult(
          plan.title(),
          each * names.size(),
          sent,
          seconds,
          plan.capacity(),
          chaos.kills(),
          chaos.failedStarts(),
          statuses(senders),
          figures.values().iterator().next(),
          new OrderCounts(nodes.ledger(), run).count(),
          nodes.audit(progress));
    }
  }

  /** Living nodes in turns. */
  private IntSupplier port() {
    AtomicInteger turn = new AtomicInteger();
    return () -> {
      List<Integer> living = nodes.living();
      int node = living.isEmpty() ? 0 : living.get(turn.getAndIncrement() % living.size());
      return nodes.httpsPort() + node;
    };
  }

  /** Returns after how many seconds all were confirmed. */
  private double play(List<BatchSender> senders, NodeAddresses doors, Chaos chaos, long began) {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      senders.forEach(threads::execute);
      try {
        return watch(senders, doors, chaos, began);
      } catch (InterruptedException e) {
        throw Wait.interrupted(e);
      } finally {
        // Whatever ended it: they would go on sending.
        threads.shutdownNow();
      }
    }
  }

  private double watch(List<BatchSender> senders, NodeAddresses doors, Chaos chaos, long began)
      throws InterruptedException {
    Duration limit = Duration.ofSeconds((long) (orders / plan.capacity())).plus(PATIENCE);
    OrderCounts counts = new OrderCounts(nodes.ledger(), "");
    double sent = 0;
    for (int looks = 0; ; looks++) {
      double now = (System.nanoTime() - began) / 1e9;
      boolean isSent = senders.stream().allMatch(sender -> sender.open() == 0);
      sent = isSent && sent == 0 ? now : sent;
      if (looks % LOOKS_TOLD == 0) {
        tell(now, senders, doors, chaos);
      }
      if (isSent && counts.haveAllEnded()) {
        return sent;
      }
      if (now > limit.toSeconds()) {
        throw new TrialException("not all orders ended within " + limit);
      }
      chaos.turn(LIVES_LEAST, LIVES_MORE_SECONDS);
      Thread.sleep(LOOK);
    }
  }

  private void tell(double now, List<BatchSender> senders, NodeAddresses doors, Chaos chaos) {
    int open = senders.stream().mapToInt(BatchSender::open).sum();
    String backlog =
        doors
            .capacity()
            .map(text -> JsonMapper.shared().readTree(text).path("backlog").toString())
            .orElse("node 0 is away");
    progress.println(
        Text.format(
            "sluice: %.0f s: %d not confirmed, %d kills, %s", now, open, chaos.kills(), backlog));
  }

  private static Map<Integer, Integer> statuses(List<BatchSender> senders) {
    Map<Integer, Integer> all = new TreeMap<>();
    senders.forEach(s -> s.statuses().forEach((status, n) -> all.merge(status, n, Integer::sum)));
    return all;
  }
}
