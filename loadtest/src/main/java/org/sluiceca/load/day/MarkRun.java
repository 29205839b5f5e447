package org.sluiceca.load.day;

import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import javax.net.ssl.SSLContext;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.day.state.DayPlan;
import org.sluiceca.load.day.state.Folder;
import org.sluiceca.load.day.state.History;
import org.sluiceca.load.day.state.MarkFigures;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.drive.OpenLoop;
import org.sluiceca.load.drive.Sender;
import org.sluiceca.load.drive.Targets;
import org.sluiceca.load.plan.Offer;
import org.sluiceca.load.soak.OcspClient;
import org.sluiceca.load.watch.HsmDevices;
import org.sluiceca.load.watch.HsmFigures;
import org.sluiceca.load.watch.LedgerRows;
import org.sluiceca.load.watch.NodeAddresses;
import org.sluiceca.load.watch.ProcessTimes;
import org.sluiceca.load.watch.TrialNodes;

/** Measures all that is measured at a mark, while no batch is under way. Used by one thread. */
record MarkRun(Trial trial, DayPlan plan, Folder folder, PrintStream progress) {

  /** Certificates a second asked for one by one: small, so that a time is a request's own. */
  private static final double SINGLE_RATE = 20;

  /** The first third warms up and is not measured. */
  private static final int SINGLE_SECONDS = 30;

  private static final int SINGLE_WARM_UP_SECONDS = 10;

  /** Above all numbers of any run. */
  private static final long SINGLE_NUMBERS = 90_000_000_000L;

  private static final int WAIT_SECONDS = 10;
  private static final Duration QUIET = Duration.ofSeconds(60);
  private static final int CONNECTIONS = 64;

  /** Revoked one after another, to see the CRL come. */
  private static final int REVOKED = 3;

  /** If its earlier runs suggest more time, the auditor's program is reported as not run. */
  private static final double AUDIT_SECONDS_MAX = 300;

  /** Up to this many certificates the auditor's program runs without an estimate of its time. */
  private static final long AUDIT_BLIND_MAX = 200_000;

  /**
   * What is measured.
   *
   * @param hsm the simulated one, if there is
   */
  record Trial(TrialNodes nodes, NodeAddresses doors, SSLContext tls, Optional<HsmDevices> hsm) {}

  /**
   * Measures it; blocks for some minutes, and with many certificates for the minutes that the
   * database takes to count them.
   *
   * @param mark its index
   * @param history with all entries to the mark
   */
  MarkFigures measure(int mark, History history) throws IOException, GeneralSecurityException {
    TrialNodes nodes = trial.nodes();
    DayLedger ledger = new DayLedger(nodes.ledger());
    long resident = nodes.resident().values().stream().mapToLong(Long::longValue).sum();
    MarkFigures.Hsm hsm = hsm();
    double load = ProcessTimes.loadAverage();
    double indexed = ledger.awaitIndexed();
    String requester = LedgerRows.newRun("single-");
    say("single requests");
    List<Exchange> singles = singles(requester);
    List<Exchange> issued = singles.stream().filter(Exchange::isIssued).toList();
    try (HttpClient client = HttpClient.newBuilder().sslContext(trial.tls()).build()) {
      say("revocations");
      MarkFigures.Crl crl =
          new RevocationLoad(client, nodes, trial.doors(), ledger)
              .revoke(
                  DayPlan.revokedRequester(mark),
                  issued.stream().limit(REVOKED).map(one -> one.serial().orElseThrow()).toList());
      say("questions");
      double ignored = ledger.awaitIndexed();
      Map<String, MarkFigures.Latency> latencies =
          new LinkedHashMap<>(new Questions(client, nodes, party(), mark).ask(plan, mark));
      latencies.put("single enrollment", single(singles));
      say("counts and sizes");
      MarkFigures.Books books = ledger.books(history, issued.size(), requester);
      long began = System.nanoTime();
      String audit = isAuditQuick(mark) ? nodes.audit(progress) : "";
      double auditSeconds = isAuditQuick(mark) ? (System.nanoTime() - began) / 1e9 : Double.NaN;
      say("a new start");
      double start = new RestartRun(nodes).seconds();
      return new MarkFigures(
          mark,
          plan.marks().get(mark),
          System.currentTimeMillis(),
          books,
          folder.baseBytes().orElse(0),
          ledger.store(),
          latencies,
          crl,
          resident,
          start,
          indexed,
          auditSeconds,
          audit,
          hsm,
          load);
    }
  }

  private void say(String what) {
    progress.println("sluice:   " + what);
  }

  private MarkFigures.Hsm hsm() {
    if (trial.hsm().isEmpty()) {
      return new MarkFigures.Hsm(Double.NaN, 0, 0);
    }
    HsmFigures said = trial.hsm().get().figures(true).values().iterator().next();
    return new MarkFigures.Hsm(said.utilisation(), said.signed(), said.queueP99());
  }

  /** An open loop over all nodes; returns all requests. */
  private List<Exchange> singles(String requester) throws IOException, GeneralSecurityException {
    TrialNodes nodes = trial.nodes();
    String profile = Offer.PROFILE;
    String token = trial.doors().register(requester, profile);
    // Each attempt at a mark asks for other names.
    long first = SINGLE_NUMBERS + System.currentTimeMillis() % 1_000_000_000L;
    CsrGenerator generator = new CsrGenerator();
    List<String> csrs =
        LongStream.range(0, (long) (2 * SINGLE_RATE * SINGLE_SECONDS))
            .mapToObj(i -> generator.request(first + i))
            .toList();
    Sender.Letter letter =
        new Sender.Letter(
            "single", WAIT_SECONDS, Map.of(requester, new Sender.Account(token, profile)), csrs);
    try (Targets targets =
        new Targets(trial.tls().getSocketFactory(), nodes.httpsPort(), CONNECTIONS)) {
      targets.aim(nodes.living());
      Sender sender = new Sender(targets, letter);
      long now = System.nanoTime();
      try (OpenLoop loop = new OpenLoop(sender)) {
        loop.run(
            new OpenLoop.Stretch(
                "single",
                List.of(new Offer(requester, 1)),
                SINGLE_RATE,
                true,
                7,
                now,
                now + SINGLE_SECONDS * 1_000_000_000L));
        if (!loop.awaitQuiet(QUIET)) {
          throw new TrialException("single requests have no answer after " + QUIET);
        }
      }
      return sender.journal();
    }
  }

  /** Of those that were due after the warm-up. */
  private static MarkFigures.Latency single(List<Exchange> all) {
    long began = all.stream().mapToLong(Exchange::dueNanos).min().orElse(0);
    List<Exchange> measured =
        all.stream()
            .filter(one -> one.dueNanos() - began >= SINGLE_WARM_UP_SECONDS * 1_000_000_000L)
            .toList();
    List<Exchange> refused = measured.stream().filter(one -> !one.isIssued()).toList();
    return Questions.latency(
        measured.stream().filter(Exchange::isIssued).map(Exchange::latencyMillis).toList(),
        refused.size(),
        refused.stream().findFirst().map(one -> one.status() + " " + one.problem()).orElse(""));
  }

  private OcspClient party() throws IOException, GeneralSecurityException {
    return new OcspClient(trial.nodes().issuer());
  }

  /** By what it took at the mark before, since it reads all. */
  private boolean isAuditQuick(int mark) throws IOException {
    long stored = plan.marks().get(mark);
    if (stored <= AUDIT_BLIND_MAX) {
      return true;
    }
    List<Double> guesses = new ArrayList<>();
    for (int earlier = 0; earlier < mark; earlier++) {
      folder
          .mark(earlier)
          .filter(figures -> !Double.isNaN(figures.auditSeconds()))
          .ifPresent(figures -> guesses.add(figures.auditSeconds() * stored / figures.stored()));
    }
    return !guesses.isEmpty() && guesses.getLast() <= AUDIT_SECONDS_MAX;
  }
}
