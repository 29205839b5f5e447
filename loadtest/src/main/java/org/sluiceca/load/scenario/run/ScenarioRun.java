package org.sluiceca.load.scenario.run;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.plan.Client;
import org.sluiceca.load.plan.GatlingPlan;
import org.sluiceca.load.plan.Offer;
import org.sluiceca.load.plan.Phase;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.scenario.judge.NodeLook;
import org.sluiceca.load.scenario.judge.ScenarioJudge;
import org.sluiceca.load.scenario.judge.ScenarioResults;
import org.sluiceca.load.scenario.judge.Seen;
import org.sluiceca.load.scenario.judge.Watched;
import org.sluiceca.load.scenario.wire.Population;
import org.sluiceca.load.scenario.wire.Terms;
import org.sluiceca.load.watch.Calibrations;
import org.sluiceca.load.watch.HsmDevices;
import org.sluiceca.load.watch.HsmMaker;
import org.sluiceca.load.watch.LedgerRows;
import org.sluiceca.load.watch.NodeAddresses;
import org.sluiceca.load.watch.TrialNodes;

/** A whole run of a scenario on a trial that it starts; the caller ends the trial. */
public final class ScenarioRun {

  private static final String REVOKED = "SELECT encode(serial, 'hex') FROM revocation";

  private final Plan plan;
  private final GatlingPlan gatling;
  private final TrialNodes nodes;
  private final HsmMaker maker;
  private final Parts parts;
  private final PrintStream progress;

  /**
   * Where things are.
   *
   * @param work what the run leaves behind to be judged, and to be resumed
   * @param csrPool kept from run to run
   * @param gatlingClasses class path of Gatling and its simulation
   * @param reports where Gatling's reports go
   */
  public record Parts(Path work, Path csrPool, String gatlingClasses, Path reports) {}

  /** A run with nodes that do not live yet. */
  public ScenarioRun(
      Plan plan, TrialNodes nodes, HsmMaker maker, Parts parts, PrintStream progress) {
    this.plan = plan;
    this.gatling = plan.gatling().orElseThrow();
    this.nodes = nodes;
    this.maker = maker;
    this.parts = parts;
    this.progress = progress;
  }

  /**
   * Runs what of the scenario no earlier sitting in {@code work} has completed: blocks for the
   * phases' seconds and some minutes more.
   *
   * @throws IOException if files cannot be read or written
   * @throws GeneralSecurityException if this JDK lacks what every JDK has
   */
  public ScenarioResults run() throws IOException, GeneralSecurityException {
    List<SoakSession> earlier = SoakSession.all(parts.work());
    Plan now = left(earlier);
    if (now.phases().stream().anyMatch(Phase::isMeasured)) {
      HsmDevices hsms = maker.isMade() ? maker.again() : maker.make();
      progress.println("sluice: starting " + plan.nodes().count() + " nodes");
      nodes.up(plan.nodes().count());
      Calibrations.require(maker.measuredNames(), nodes);
      String run = LedgerRows.newRun("gat");
      sit(now, hsms, SoakSession.begin(parts.work(), run));
    } else {
      progress.println("sluice: nothing is left to run; starting what holds the ledger");
      HsmDevices ignored = maker.again();
      nodes.up(plan.nodes().count());
    }
    return judge();
  }

  /** The phases that are not complete, after a warm-up of this sitting's own. */
  private Plan left(List<SoakSession> earlier) throws IOException {
    Set<String> done = new HashSet<>();
    for (SoakSession session : earlier) {
      session.complete().forEach(watched -> done.add(watched.phase()));
    }
    List<Phase> phases = new ArrayList<>();
    for (Phase phase : plan.phases()) {
      if (!phase.isMeasured()) {
        phases.add(renamed(phase, earlier.size()));
      } else if (!done.contains(phase.name())) {
        phases.add(phase);
      }
    }
    return plan.with(phases);
  }

  private static Phase renamed(Phase warmUp, int session) {
    return session == 0
        ? warmUp
        : warmUp.named(Plan.WARM_UP + "-" + session, warmUp.settleSeconds(), warmUp.seconds());
  }

  private void sit(Plan now, HsmDevices hsms, SoakSession session)
      throws IOException, GeneralSecurityException {
    Identities identities = new Identities(nodes, session.folder());
    Timeline timeline = new Timeline(now);
    List<Population> populations = timeline.populations();
    List<String> settings = new ArrayList<>();
    settings.addAll(store("trustStore", identities.trustStore()));
    try (NodeAddresses doors = new NodeAddresses(nodes, nodes.tls())) {
      Map<String, Terms.Account> accounts = accounts(now, populations, doors, identities);
      if (accounts.size() == 1 && now.client().isMutual()) {
        // All connections show it; of several, each population makes connections of its own.
        settings.addAll(store("keyStore", Path.of(accounts.values().iterator().next().store())));
      }
      terms(now, session.run(), populations, accounts, identities).write(session.folder());
      GatlingProcess.Parts made =
          new GatlingProcess.Parts(
              parts.gatlingClasses(), Files.createDirectories(parts.reports()));
      try (Sampler sampler =
              new Sampler(nodes, doors, hsms, session.folder(), gatling.sampleSeconds());
          GatlingProcess process = GatlingProcess.start(made, session.folder(), settings)) {
        sampler.begin();
        new Conductor(session, nodes, hsms, process, progress).conduct(timeline, populations);
        new LedgerRows(nodes, session.run()).awaitFinished();
        session.end();
        report(process);
      }
    }
  }

  /** What was measured does not hang on it. */
  private void report(GatlingProcess process) throws IOException {
    try {
      progress.println("sluice: Gatling makes its report");
      process.report();
    } catch (TrialException e) {
      progress.println("sluice: no report by Gatling: " + e.getMessage());
    }
  }

  private Map<String, Terms.Account> accounts(
      Plan now, List<Population> populations, NodeAddresses doors, Identities identities)
      throws IOException, GeneralSecurityException {
    Map<String, String> profiles = plan.requesters();
    Map<String, Terms.Account> accounts = new TreeMap<>();
    int csrs = now.distinctRequests();
    for (Population population : populations) {
      String name = population.requester();
      if (accounts.containsKey(name)) {
        continue;
      }
      String profile = profiles.getOrDefault(name, Offer.PROFILE);
      String key = now.client().key(name);
      boolean isMutual = now.client().isMutual();
      accounts.put(
          name,
          new Terms.Account(
              isMutual ? "" : doors.register(name, profile),
              profile,
              isMutual ? identities.keyStore(name, profile, doors).toString() : "",
              CsrPool.file(parts.csrPool(), "first", key, csrs).toString(),
              gatling.isRenewal()
                  ? CsrPool.file(parts.csrPool(), "second", key, csrs).toString()
                  : ""));
    }
    return accounts;
  }

  private static List<String> store(String name, Path file) {
    return List.of(
        "-Dgatling.ssl." + name + ".type=PKCS12",
        "-Dgatling.ssl." + name + ".file=" + file,
        "-Dgatling.ssl." + name + ".password=" + Terms.STORE_PASSWORD);
  }

  private Terms terms(
      Plan now,
      String run,
      List<Population> populations,
      Map<String, Terms.Account> accounts,
      Identities identities)
      throws IOException, GeneralSecurityException {
    int count = nodes.count();
    Client client = now.client();
    return new Terms(
        run,
        IntStream.range(0, count).mapToObj(node -> nodes.httpsPort() + node).toList(),
        IntStream.range(0, count).mapToObj(nodes::httpPort).toList(),
        now.phases().stream().map(Phase::name).toList(),
        populations,
        accounts,
        client.keepsConnections(),
        client.waitSeconds(),
        client.isPoisson(),
        client.seed(),
        identities.ocspQuestion());
  }

  private ScenarioResults judge() throws IOException {
    List<SoakSession> sessions = SoakSession.all(parts.work());
    List<Phase> all = new ArrayList<>();
    for (SoakSession session : sessions) {
      LedgerRows ledger = new LedgerRows(nodes, session.run());
      ledger.awaitFinished();
      session.fill(ledger);
      session.complete().forEach(watched -> all.add(watched.seen().phase()));
    }
    ScenarioJudge judge = new ScenarioJudge(plan.with(all));
    List<NodeLook> looks = new ArrayList<>();
    for (SoakSession session : sessions) {
      looks.addAll(session.looks());
      for (Watched watched : session.complete()) {
        judge.add(
            new Seen(
                watched,
                session.requests(watched.index()),
                session.rows(watched.index()),
                session.rows(watched.index() - 1)));
      }
    }
    for (SoakSession session : sessions) {
      for (int index : session.incomplete()) {
        judge.addInterrupted(session.requests(index), session.rows(index));
      }
    }
    return judge.results(looks, revocations());
  }

  private Set<String> revocations() {
    return Set.copyOf(nodes.ledger().all(REVOKED, row -> row.getString(1)));
  }
}
