package org.sluiceca.load.renewals;

import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.sluiceca.load.CsrCorpus;
import org.sluiceca.load.call.Wait;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.renewals.HerdClient.Renewal;
import org.sluiceca.load.watch.Calibrations;
import org.sluiceca.load.watch.HsmDevices;
import org.sluiceca.load.watch.HsmFigures;
import org.sluiceca.load.watch.HsmMaker;
import org.sluiceca.load.watch.TrialNodes;

/**
 * Issues two herds, each within what stands for an hour, and has their clients renew: the first by
 * renewal information, the second, which comes later and renews later, each at two thirds of its
 * life. The caller ends the trial.
 */
public record HerdRun(
    Plan plan, TrialNodes nodes, HsmMaker maker, HerdTerms terms, PrintStream progress) {

  /**
   * The second herd is issued before the first one's earliest window, and renewed after its last.
   */
  private static final int SECOND_AFTER_SLICES = 16;

  private static final String ISSUED =
      """
      SELECT encode(o.serial, 'hex') FROM outcome o
      JOIN intent i ON i.expiry_week = o.expiry_week AND i.serial = o.serial
      WHERE o.kind = 'issued' AND i.profile = ?
      """;

  private static final String REPLACING =
      "SELECT count(DISTINCT replaces) FROM certificate_request WHERE serial IS NOT NULL"
          + " AND replaces IS NOT NULL";

  /** Runs it; blocks for a life, and what starting nodes takes. */
  public HerdResult run() throws IOException, GeneralSecurityException {
    HsmDevices hsms = maker.make();
    HerdTerms.endpoint(nodes.file(""));
    nodes.up(plan.nodes().count());
    Calibrations.require(maker.measuredNames(), nodes);
    int all = 2 * terms.certificates();
    List<String> requests = CsrCorpus.make(all);
    try (HttpClient client = HttpClient.newBuilder().sslContext(nodes.tls()).build()) {
      AcmeSession session = new AcmeSession(client, nodes);
      List<HerdClient> clients = new ArrayList<>();
      for (int i = 0; i < all; i++) {
        clients.add(new HerdClient(session, terms, i, CsrCorpus.name(i), requests.get(i)));
      }
      var ignored = hsms.figures(true);
      return play(clients, hsms);
    }
  }

  private HerdResult play(List<HerdClient> clients, HsmDevices hsms) {
    Instant start = Instant.now();
    AtomicInteger renewed = new AtomicInteger();
    List<Future<Renewal>> sent = new ArrayList<>();
    List<HsmFigures> figures;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < clients.size(); i++) {
        sent.add(threads.submit(client(clients.get(i), i, start, renewed)));
      }
      try {
        figures = watch(sent, hsms, start, renewed);
      } finally {
        // Whatever ended it: they would go on.
        threads.shutdownNow();
      }
    }
    List<Renewal> renewals = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    for (Future<Renewal> one : sent) {
      try {
        renewals.add(one.get());
      } catch (ExecutionException e) {
        failures.add(String.valueOf(e.getMessage()));
      } catch (InterruptedException e) {
        throw Wait.interrupted(e);
      }
    }
    List<Renewal> guided = renewals.stream().filter(r -> r.polls() > 0).toList();
    List<Renewal> others = renewals.stream().filter(r -> r.polls() == 0).toList();
    return new HerdResult(
        plan.title(),
        terms,
        plan.capacity(),
        start,
        guided,
        others,
        failures,
        figures,
        ledger(renewals),
        nodes.audit(progress));
  }

  private Callable<Renewal> client(HerdClient client, int i, Instant start, AtomicInteger renewed) {
    boolean isGuided = i < terms.certificates();
    Duration slice = terms.slice();
    Duration herd = isGuided ? Duration.ZERO : slice.multipliedBy(SECOND_AFTER_SLICES);
    Duration own = slice.multipliedBy(i % terms.certificates()).dividedBy(terms.certificates());
    return () -> {
      Wait.pause(positive(Duration.between(Instant.now(), start.plus(herd).plus(own))));
      X509Certificate first = client.enroll();
      Renewal renewal = client.renew(first, isGuided);
      renewed.incrementAndGet();
      return renewal;
    };
  }

  /** Looks at the HSM once a slice until all clients are done, or a life and a half is over. */
  private List<HsmFigures> watch(
      List<Future<Renewal>> sent, HsmDevices hsms, Instant start, AtomicInteger renewed) {
    List<HsmFigures> figures = new ArrayList<>();
    Instant limit = start.plus(terms.life().multipliedBy(3).dividedBy(2));
    Instant next = start;
    while (!sent.stream().allMatch(Future::isDone)) {
      if (Instant.now().isAfter(limit)) {
        throw new TrialException("not all clients are done within a life and a half");
      }
      next = next.plus(terms.slice());
      Wait.pause(positive(Duration.between(Instant.now(), next)));
      figures.add(hsms.figures(true).values().iterator().next());
      if (figures.size() % HerdTerms.SLICES == 0) {
        progress.println(
            Text.format(
                "sluice: %d s: %d of %d renewed",
                Duration.between(start, next).toSeconds(), renewed.get(), sent.size()));
      }
    }
    return figures;
  }

  private static Duration positive(Duration time) {
    return time.isNegative() ? Duration.ZERO : time;
  }

  private HerdResult.Ledger ledger(List<Renewal> renewals) {
    Set<String> issued =
        new HashSet<>(nodes.ledger().all(ISSUED, row -> row.getString(1), HerdTerms.PROFILE));
    Set<String> known = new HashSet<>();
    for (Renewal renewal : renewals) {
      known.add(octets(renewal.first()));
      known.add(octets(renewal.second()));
    }
    long lacking = known.stream().filter(serial -> !issued.contains(serial)).count();
    return new HerdResult.Ledger(
        issued.size(), known.size(), lacking, nodes.ledger().number(REPLACING));
  }

  /** Serial numbers have 19 octets in the ledger. */
  private static String octets(String hex) {
    return "0".repeat(38 - hex.length()) + hex;
  }
}
