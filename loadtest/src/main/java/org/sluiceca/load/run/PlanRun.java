package org.sluiceca.load.run;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.sluiceca.load.CsrCorpus;
import org.sluiceca.load.drive.Sender;
import org.sluiceca.load.drive.Targets;
import org.sluiceca.load.inside.TokenLook;
import org.sluiceca.load.inside.TokenWatch;
import org.sluiceca.load.judge.Evidence;
import org.sluiceca.load.judge.Oracle;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.judge.PhaseRecord;
import org.sluiceca.load.judge.Verdict;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.plan.Client;
import org.sluiceca.load.plan.HsmPlan;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.plan.Phase;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.report.Results;
import org.sluiceca.load.wan.Wan;
import org.sluiceca.load.watch.Calibrations;
import org.sluiceca.load.watch.HsmDevices;
import org.sluiceca.load.watch.HsmMaker;
import org.sluiceca.load.watch.LedgerRow;
import org.sluiceca.load.watch.LedgerRows;
import org.sluiceca.load.watch.NodeAddresses;
import org.sluiceca.load.watch.TrialNodes;

/** A whole run of a plan on a trial that it starts; the caller ends the trial. */
public final class PlanRun {

  /** Nodes may join; no plan has more. */
  private static final int NODES_MAX = 64;

  /** The HSM is looked at so often; a look costs a lock for some microseconds. */
  private static final double LOOK_SECONDS = 0.5;

  private final Plan plan;
  private final TrialNodes nodes;
  private final HsmMaker maker;
  private final Place place;
  private final PrintStream progress;

  /**
   * Where a run takes place.
   *
   * @param commit of the sources
   * @param wan the program of loadtest/wan, if the run has a network namespace of its own
   */
  public record Place(String commit, Optional<Path> wan) {}

  /** A run with nodes that do not live yet, on HSMs that are not made yet. */
  public PlanRun(Plan plan, TrialNodes nodes, HsmMaker maker, Place place, PrintStream progress) {
    this.plan = plan;
    this.nodes = nodes;
    this.maker = maker;
    this.place = place;
    this.progress = progress;
  }

  /**
   * Runs it: blocks for the phases' seconds and about a minute more.
   *
   * @throws IOException if files of the trial cannot be read
   * @throws GeneralSecurityException if this JDK lacks what every JDK has
   */
  public Results run() throws IOException, GeneralSecurityException {
    Instant began = Instant.now();
    HsmDevices hsms = maker.make();
    progress.println("sluice: starting " + plan.nodes().count() + " nodes");
    Tokens given = start();
    SSLContext tls = nodes.tls();
    String run = LedgerRows.newRun("load");
    try (NodeAddresses doors = new NodeAddresses(nodes, tls);
        Wan wan = Wan.open(plan.wan(), place.wan(), NODES_MAX, nodes.httpsPort());
        Targets targets =
            new Targets(
                tls.getSocketFactory(),
                nodes.httpsPort(),
                plan.client().connectionsMax(),
                wan::door);
        HsmDevices.Watching looks = hsms.watch(LOOK_SECONDS);
        TokenWatch tokens = new TokenWatch(doors::metricsText, watchedNodes())) {
      targets.aim(nodes.living());
      Map<String, Sender.Account> accounts = new HashMap<>();
      plan.requesters()
          .forEach(
              (name, profile) ->
                  accounts.put(name, new Sender.Account(doors.register(name, profile), profile)));
      Sender.Letter letter =
          new Sender.Letter(
              run,
              plan.client().waitSeconds(),
              accounts,
              CsrCorpus.make(Plan.REQUESTS_MIN, plan.client().key().equals(Client.RSA)));
      Sender sender = new Sender(targets, letter);
      LedgerRows ledger = new LedgerRows(nodes, run);
      Revocations revocations = new Revocations(doors, ledger);
      List<PhaseRecord> seen =
          play(new Stage(nodes, hsms, given, doors, revocations, targets, sender, progress));
      ledger.awaitFinished();
      Evidence evidence =
          new Evidence(sender.journal(), ledger.all(), looks.seen(), Evidence.clockOffset());
      Map<String, String> more =
          new HashMap<>(Map.of("commit", place.commit(), "distinct requests", requests()));
      plan.wan().ifPresent(_ -> more.put("WAN", wan.description()));
      return results(
          began, Machine.describe(more), seen, evidence, tokens.seen(), targets.opened());
    }
  }

  private String requests() {
    int keys = CsrCorpus.keys(Plan.REQUESTS_MIN, plan.client().key().equals(Client.RSA));
    return Text.format("%d with %d keys of %s", Plan.REQUESTS_MIN, keys, plan.client().key());
  }

  /** With one HSM its own figures say all, and asking nodes each second is load. */
  private int watchedNodes() {
    return plan.hsms().size() > 1 ? plan.nodes().count() : 0;
  }

  /**
   * Of several HSMs the first is there when the ceremony makes the key. It is copied into the
   * others; those are measured, and then the nodes may have them. {@code up} only warns of an HSM
   * that cannot be measured; a plan is not run on one.
   */
  private Tokens start() {
    List<HsmPlan> first = plan.hsms().subList(0, 1);
    if (plan.hsms().size() == 1) {
      nodes.up(plan.nodes().count());
    } else {
      Path ignored = maker.writeTokensFile(HsmMaker.TOKENS_FILE, first.getFirst().name()::equals);
      nodes.up(plan.nodes().count());
      maker.replicate();
      if (plan.isDivided()) {
        maker.divide(plan.nodes().issuerNames());
      }
      progress.println("sluice: measuring the other HSMs");
      nodes.calibrate(maker.writeOthersFile());
    }
    Calibrations.require(maker.measuredNames(), nodes);
    // Of what is divided nodes have a token that no file lists any more.
    return new Tokens(maker, plan.isDivided() ? List.of() : first);
  }

  private List<PhaseRecord> play(Stage stage) {
    List<PhaseRecord> records = new ArrayList<>();
    for (Phase phase : plan.phases()) {
      stage.say("phase " + phase.name());
      PhaseRecord seen = new PhaseRun(plan, phase, stage).run();
      seen.shown().forEach(stage::say);
      records.add(seen);
    }
    return records;
  }

  private Results results(
      Instant began,
      Map<String, String> machine,
      List<PhaseRecord> seen,
      Evidence evidence,
      List<TokenLook> tokens,
      int connectionsOpened) {
    List<PhaseJudge.Figures> figures =
        seen.stream().map(record -> new PhaseJudge(plan, record, evidence).figures()).toList();
    Map<Measure, Double> oracle = new Oracle(plan, evidence).measures();
    long issued = evidence.rows().stream().filter(LedgerRow::isIssued).count();
    progress.println(
        Text.format(
            "sluice: %d answers, %d certificates in the ledger",
            evidence.exchanges().size(), issued));
    return new Results(
        plan,
        began,
        machine,
        figures,
        oracle,
        Verdict.of(figures, oracle),
        evidence,
        tokens,
        connectionsOpened,
        Optional.empty());
  }
}
