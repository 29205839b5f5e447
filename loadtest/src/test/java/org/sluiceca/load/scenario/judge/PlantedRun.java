package org.sluiceca.load.scenario.judge;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.judge.PhaseRecord;
import org.sluiceca.load.plan.Offer.Kind;
import org.sluiceca.load.plan.Phase;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.plan.PlanFile;
import org.sluiceca.load.watch.HsmFigures;
import org.sluiceca.load.watch.LedgerRow;
import org.sluiceca.load.watch.ProcessTimes;

/** A run of ten phases in which all went well, and ways to spoil it. */
public final class PlantedRun {

  static final long SECOND = 1_000_000_000L;
  static final int PHASES = 10;

  /** Of one phase of ten seconds. */
  static final int EACH = 100;

  private static final String HEAD =
      """
      nodes = 2
      hsm.rate = 20
      settle = 0
      seconds = 10
      goals.each = late-p99 <= 50; latency-p99 <= 200; goodput-share >= 0.95
      gatling.operations = ocsp 0.5, revoke 0.05
      gatling.sample-seconds = 1
      gatling.knee = goodput-share >= 0.95; refused-share <= 0.01
      gatling.limits = knee >= 0.5; rss-growth <= 0.05; threads-growth <= 0.05; files-growth <= 0.1; queue-growth <= 3; hsm-queue-growth <= 3; latency-p50-growth <= 0.1; latency-p99-growth <= 0.1; started-late-p99 <= 50; failed-share@ocsp <= 0; latency-p99@ocsp <= 100
      """;

  final Plan plan = plan();
  final List<List<Exchange>> records = new ArrayList<>();
  final List<List<LedgerRow>> rows = new ArrayList<>();
  final List<NodeLook> looks = new ArrayList<>();
  final Set<String> revocations = new HashSet<>();
  final List<Exchange> interruptedShots = new ArrayList<>();
  final List<LedgerRow> interruptedRows = new ArrayList<>();
  private double hsmUtilisation = 0.5;

  /** All is well. */
  public PlantedRun() {
    for (int phase = 0; phase < PHASES; phase++) {
      records.add(new ArrayList<>());
      rows.add(new ArrayList<>());
      for (int i = 0; i < EACH; i++) {
        issue(phase, i);
      }
    }
    for (int second = 0; second < 10 * PHASES; second++) {
      looks.add(look(second, 0));
      looks.add(look(second, 1));
    }
  }

  private static Plan plan() {
    StringBuilder text = new StringBuilder(HEAD).append("phases =");
    for (int i = 0; i < PHASES; i++) {
      text.append(" p").append(i);
    }
    for (int i = 0; i < PHASES; i++) {
      text.append("\nphase.p").append(i).append(".offer = a 0.5");
    }
    try {
      return PlanFile.parse("planted", new StringReader(text + "\n"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void issue(int phase, int i) {
    long due = phase * 10L * SECOND + i * SECOND / 10;
    String serial = "%02d%04d".formatted(phase, i);
    String key = "gat-" + phase + "-" + i;
    records
        .get(phase)
        .add(
            new Exchange(
                new Exchange.Request(Kind.ENROLL, key, "p" + phase, "a", 0),
                i % 2,
                due,
                due - SECOND,
                due,
                due + SECOND / 10,
                201,
                Optional.of(serial),
                OptionalInt.empty(),
                false,
                ""));
    rows.get(phase)
        .add(
            new LedgerRow(
                serial,
                "a",
                key,
                "issuing",
                Optional.of(
                    new LedgerRow.Outcome(
                        "issued", "node-" + i % 2, Instant.ofEpochSecond(0, due + SECOND / 20)))));
    records.get(phase).add(other(Kind.OCSP, phase, due, serial));
    if (i % 10 == 0) {
      records.get(phase).add(other(Kind.REVOKE, phase, due, serial));
      revocations.add(serial);
    }
  }

  private static Exchange other(Kind kind, int phase, long due, String serial) {
    return new Exchange(
        new Exchange.Request(kind, "", "p" + phase, "a", 0),
        0,
        due,
        due - SECOND,
        due,
        due + SECOND / 100,
        200,
        Optional.of(serial),
        OptionalInt.empty(),
        false,
        "");
  }

  private static NodeLook look(int second, int node) {
    // A little noise, as of the garbage collector.
    double noise = (second * 7919 + node * 31) % 11 / 10.0;
    return new NodeLook(
        second * 1000L,
        node,
        100 + node,
        300 + noise,
        60,
        120 + second % 3,
        second % 4,
        second % 4,
        0.1,
        second % 5,
        5,
        0.5,
        second * 0.1,
        second * 10.0,
        second % 3);
  }

  /** A phase more, which an interruption left without a figure. */
  PlantedRun interrupted() {
    PlantedRun more = new PlantedRun();
    interruptedShots.addAll(more.records.getFirst().stream().map(PlantedRun::before).toList());
    interruptedRows.addAll(more.rows.getFirst().stream().map(PlantedRun::before).toList());
    revocations.addAll(interruptedShots.stream().map(sent -> sent.serial().orElseThrow()).toList());
    return this;
  }

  private static Exchange before(Exchange was) {
    return new Exchange(
        new Exchange.Request(
            was.kind(),
            was.request().key().replace("gat-", "old-"),
            was.request().phase(),
            was.request().requester(),
            was.request().attempt()),
        was.node(),
        was.dueNanos(),
        was.startedNanos(),
        was.sentNanos(),
        was.doneNanos(),
        was.status(),
        was.serial().map(serial -> "ff" + serial),
        was.retryAfterSeconds(),
        false,
        was.problem());
  }

  private static LedgerRow before(LedgerRow was) {
    return new LedgerRow(
        "ff" + was.serial(),
        was.requester(),
        was.key().replace("gat-", "old-"),
        was.issuer(),
        was.outcome());
  }

  /** Changes every nth request of a kind. */
  PlantedRun records(Kind kind, int every, UnaryOperator<Exchange> change) {
    int count = 0;
    for (List<Exchange> phase : records) {
      for (int i = 0; i < phase.size(); i++) {
        if (phase.get(i).kind() == kind && count++ % every == 0) {
          phase.set(i, change.apply(phase.get(i)));
        }
      }
    }
    return this;
  }

  /** One certificate that its client has and the ledger does not. */
  public PlantedRun lost() {
    rows.get(4).remove(17);
    return this;
  }

  /** The share of time in which the HSM's servers are busy, in every phase. */
  public PlantedRun hsmUtilisation(double share) {
    hsmUtilisation = share;
    return this;
  }

  PlantedRun looks(UnaryOperator<NodeLook> change) {
    looks.replaceAll(change);
    return this;
  }

  static Exchange answered(Exchange was, int status, int retryAfter) {
    return new Exchange(
        was.request(),
        was.node(),
        was.dueNanos(),
        was.startedNanos(),
        was.sentNanos(),
        was.doneNanos(),
        status,
        status == 201 ? was.serial() : Optional.empty(),
        retryAfter < 0 ? OptionalInt.empty() : OptionalInt.of(retryAfter),
        false,
        "");
  }

  /** The same client that number of seconds later. */
  static Exchange again(Exchange was, int seconds, int status) {
    Exchange later =
        new Exchange(
            new Exchange.Request(
                was.kind(),
                was.request().key(),
                was.request().phase(),
                was.request().requester(),
                was.request().attempt() + 1),
            was.node(),
            was.dueNanos() + seconds * SECOND,
            was.startedNanos(),
            was.sentNanos() + seconds * SECOND,
            was.doneNanos() + seconds * SECOND,
            status,
            was.serial(),
            OptionalInt.empty(),
            false,
            "");
    return status == 201 ? later : answered(later, status, 7);
  }

  /** The same request, everything of which was later than it was due. */
  static Exchange late(Exchange was, double seconds) {
    long nanos = (long) (seconds * SECOND);
    return new Exchange(
        was.request(),
        was.node(),
        was.dueNanos(),
        was.dueNanos() + nanos,
        was.dueNanos() + nanos,
        was.doneNanos() + nanos,
        was.status(),
        was.serial(),
        was.retryAfterSeconds(),
        false,
        was.problem());
  }

  /** Judges it. */
  public ScenarioResults results() {
    ScenarioJudge judge = new ScenarioJudge(plan);
    for (int i = 0; i < PHASES; i++) {
      Phase phase = plan.phases().get(i);
      long from = i * 10L * SECOND;
      HsmFigures hsm =
          new HsmFigures(from + 10 * SECOND, hsmUtilisation, 0, 1, 2, 3, 100, 0, 0, 16);
      Watched watched =
          new Watched(
              0,
              i,
              new PhaseRecord(
                  phase,
                  from,
                  from + 10 * SECOND,
                  Map.of("hsm", hsm),
                  new ProcessTimes(100, 100, 100, 400, 1000),
                  1,
                  List.of(0, 1),
                  0),
              0,
              50,
              EACH);
      judge.add(
          new Seen(watched, records.get(i), rows.get(i), i == 0 ? List.of() : rows.get(i - 1)));
    }
    if (!interruptedShots.isEmpty()) {
      judge.addInterrupted(interruptedShots, interruptedRows);
    }
    return judge.results(looks, revocations);
  }

  /** What was missed, as the files say it, each once. */
  List<String> missed() {
    ScenarioResults results = results();
    List<String> missed = new ArrayList<>();
    results.verdicts().stream()
        .filter(verdict -> !verdict.isMet())
        .forEach(verdict -> missed.add(verdict.goal().figure()));
    return missed.stream().distinct().toList();
  }
}
