package org.sluiceca.load.soak;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.sluiceca.load.CsrCorpus;
import org.sluiceca.load.call.Wait;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.soak.judge.ExpectedState;
import org.sluiceca.load.soak.judge.Findings;
import org.sluiceca.load.soak.judge.LineJudge;
import org.sluiceca.load.soak.judge.Lives;
import org.sluiceca.load.soak.judge.OcspJudge;
import org.sluiceca.load.soak.judge.Rule;
import org.sluiceca.load.soak.judge.SilenceJudge;
import org.sluiceca.load.watch.HsmDevices;
import org.sluiceca.load.watch.HsmMaker;
import org.sluiceca.load.watch.NodeAddresses;
import org.sluiceca.load.watch.TrialNodes;

/** A whole soak on a trial that it starts; the caller ends the trial. */
public final class SoakRun {

  private static final int CSRS = 500;

  /** Time to repair ongoing faults, and for the last revocations to reach all nodes. */
  private static final Duration LAST = SoakTerms.PUBLISHED.plusSeconds(8);

  private static final Duration TELL = Duration.ofSeconds(15);

  private final Plan plan;
  private final TrialNodes nodes;
  private final HsmMaker maker;
  private final SoakTerms terms;
  private final PrintStream progress;
  private final Findings findings = new Findings();
  private final ExpectedState expected = new ExpectedState();
  private final Random random = new Random(11);
  private final Sample sample = new Sample(new Random(12));
  private final List<Watcher> watchers = new ArrayList<>();
  private final List<LineJudge> judges = new ArrayList<>();

  /** A run with nodes that do not live yet. */
  public SoakRun(
      Plan plan, TrialNodes nodes, HsmMaker maker, SoakTerms terms, PrintStream progress) {
    this.plan = plan;
    this.nodes = nodes;
    this.maker = maker;
    this.terms = terms;
    this.progress = progress;
  }

  /** Runs it; blocks for its seconds and a few minutes at most for its start and its end. */
  public SoakResult run() throws IOException, GeneralSecurityException {
    HsmDevices ignored = maker.make();
    nodes.up(plan.nodes().count());
    SSLContext context = nodes.tls();
    Lives lives = new Lives(nodes.count(), Instant.now());
    OcspJudge ocsp = new OcspJudge(expected, lives, findings, SoakTerms.OCSP_HEARD);
    try (NodeAddresses doors = new NodeAddresses(nodes, context);
        HttpClient https =
            HttpClient.newBuilder()
                .sslContext(context)
                .connectTimeout(Duration.ofSeconds(4))
                .build()) {
      String requester = doors.register("soak", "tls-server");
      Traffic.Access door =
          new Traffic.Access(https, nodes.httpsPort(), requester, nodes.read("admin.token"));
      Traffic traffic =
          new Traffic(door, CsrCorpus.make(CSRS), expected, lives, sample, random, findings);
      FaultInjector faults = new FaultInjector(nodes, doors, lives, new Random(13), progress);
      long began = System.nanoTime();
      play(party(lives, ocsp), traffic, faults);
      double seconds = (System.nanoTime() - began) / 1e9;
      return new SoakResult(
          plan.title(),
          terms,
          counts(seconds, traffic, faults, ocsp),
          findings,
          nodes.audit(progress));
    }
  }

  private Watcher.Judges party(Lives lives, OcspJudge ocsp)
      throws IOException, GeneralSecurityException {
    X509Certificate issuer = nodes.issuer();
    Map<SoakTerms.Scope, ResponseIngest.Line> lines = new LinkedHashMap<>();
    for (SoakTerms.Scope scope : SoakTerms.scopes()) {
      LineJudge judge = new LineJudge(scope.path(), expected, lives, findings, SoakTerms.bounds());
      judges.add(judge);
      lines.put(
          scope, new ResponseIngest.Line(new CrlReader(scope.path(), issuer, expected), judge));
    }
    ResponseIngest ingest =
        new ResponseIngest(lines, new OcspClient(issuer), ocsp, expected, findings);
    SilenceJudge silence = new SilenceJudge(lives, findings, SoakTerms.silence(), Instant.now());
    return new Watcher.Judges(ingest, silence, sample, lives);
  }

  private void play(Watcher.Judges party, Traffic traffic, FaultInjector faults) {
    try (HttpClient plain = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(4)).build();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int node = 0; node < nodes.count(); node++) {
        URI base = URI.create("http://127.0.0.1:" + nodes.httpPort(node));
        Watcher watcher = new Watcher(node, base, plain, party);
        watchers.add(watcher);
        threads.execute(watcher);
      }
      long began = System.nanoTime();
      threads.execute(() -> issue(began, traffic, threads));
      threads.execute(() -> tell(began, traffic));
      try {
        // It ends when nodes were killed and stopped, however slow starts are.
        while (secondsSince(began) < terms.seconds() || !faults.isEnough(terms.isLong())) {
          Thread.sleep(Duration.ofSeconds(4 + random.nextInt(terms.isLong() ? 16 : 4)));
          faults.one(terms.isLong());
        }
        traffic.end();
        Thread.sleep(LAST);
        party.silence().end(Instant.now());
      } catch (InterruptedException e) {
        throw Wait.interrupted(e);
      } finally {
        traffic.end();
        watchers.forEach(Watcher::end);
        threads.shutdownNow();
      }
    }
  }

  private void issue(long began, Traffic traffic, ExecutorService threads) {
    try {
      for (long sent = 0; !traffic.isOver(); sent++) {
        traffic.busy(terms.isBusy(secondsSince(began)));
        threads.execute(traffic::live);
        double left = (sent + 1) / terms.perSecond() - secondsSince(began);
        Thread.sleep(Duration.ofMillis(Math.max(0, (long) (1000 * left))));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void tell(long began, Traffic traffic) {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        Thread.sleep(TELL);
        long breaches = Stream.of(Rule.values()).mapToLong(findings::breaches).sum();
        progress.println(
            Text.format(
                "sluice: %.0f s: %s, %d answers, %d breaches",
                secondsSince(began),
                words(traffic),
                watchers.stream().mapToLong(Watcher::answers).sum(),
                breaches));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static double secondsSince(long nanos) {
    return (System.nanoTime() - nanos) / 1e9;
  }

  private Map<String, Long> words(Traffic traffic) {
    Map<String, Long> words = new TreeMap<>();
    for (Traffic.End end : Traffic.End.values()) {
      words.put(end.words(), traffic.count(end));
    }
    words.put("on CRLs, but given to no client", expected.foreign());
    return words;
  }

  private SoakResult.Counts counts(
      double seconds, Traffic traffic, FaultInjector faults, OcspJudge ocsp) {
    Map<String, Integer> done = new TreeMap<>();
    faults.done().forEach((kind, times) -> done.put(kind.words(), times));
    return new SoakResult.Counts(
        seconds,
        words(traffic),
        done,
        faults.leaders(),
        judges.stream()
            .map(judge -> new SoakResult.Numbers(judge.numbers(false), judge.numbers(true)))
            .toList(),
        watchers.stream().mapToLong(Watcher::answers).sum(),
        watchers.stream().mapToLong(Watcher::unanswered).sum(),
        judges.stream().flatMap(judge -> judge.delays().stream()).toList(),
        ocsp.delays());
  }
}
