package org.sluiceca.load.judge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.inside.TimeoutLadder;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.plan.Phase;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.plan.PlanFile;
import org.sluiceca.load.watch.HsmFigures;
import org.sluiceca.load.watch.LedgerRow;
import org.sluiceca.load.watch.ProcessTimes;

/** A run of the plan {@code adcs-2009} in which all went well, and parts of it to spoil. */
public final class PlantedScale {

  static final long SECOND = 1_000_000_000L;
  private static final int NODES = 10;
  private static final int PER_SECOND = 200;

  private final Plan plan = read();
  private final Phase managedPhase = phase("managed");
  private final Phase unmanagedPhase = phase("unmanaged");
  final List<Exchange> exchanges = new ArrayList<>();
  final List<LedgerRow> rows = new ArrayList<>();

  // What a test changes; used by its thread alone.
  double utilisation = 1;
  int queueP99 = 9;
  long hsmRefused;
  double managedMillis = 70;
  double unmanagedMillis = 730;
  double revocationSeconds = 0.6;
  long residentBytes = 250_000_000;
  long unmanagedBusyTicks = 5_000;

  /** 60 s, in which every node issues as many. */
  public PlantedScale() {
    for (int i = 0; i < PER_SECOND * managedPhase.seconds(); i++) {
      Exchange.Request request =
          new Exchange.Request("run-" + i, "managed", "client-" + (1 + i % 5), 0);
      long due = i * SECOND / PER_SECOND;
      exchanges.add(
          new Exchange(
              request,
              i % NODES,
              due,
              due,
              due + 1,
              201,
              Optional.of("serial-" + i),
              OptionalInt.empty(),
              false));
      rows.add(
          new LedgerRow(
              "serial-" + i,
              request.requester(),
              request.key(),
              "issuing",
              Optional.of(
                  new LedgerRow.Outcome(
                      "issued", "node-" + i % NODES, Instant.ofEpochSecond(0, due)))));
    }
  }

  private static Plan read() {
    Path plans = Path.of(System.getProperty("basedir", ""), "plans");
    try {
      return PlanFile.read(plans.resolve("adcs-2009.properties"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Phase phase(String name) {
    return plan.phases().stream().filter(p -> p.name().equals(name)).findFirst().orElseThrow();
  }

  /** Returns the plan. */
  public Plan plan() {
    return plan;
  }

  /** Has one of every N of a node's certificates issued by another. */
  PlantedScale moved(int from, int to, int every) {
    for (int i = from; i < rows.size(); i += NODES * every) {
      LedgerRow row = rows.get(i);
      rows.set(
          i,
          new LedgerRow(
              row.serial(),
              row.requester(),
              row.key(),
              row.issuer(),
              row.outcome().map(o -> new LedgerRow.Outcome(o.kind(), "node-" + to, o.at()))));
    }
    return this;
  }

  /** Takes the last certificates away, with what their clients received. */
  PlantedScale withoutLast(int count) {
    rows.subList(rows.size() - count, rows.size()).clear();
    exchanges.subList(exchanges.size() - count, exchanges.size()).clear();
    return this;
  }

  /** Returns all that the run left. */
  public Evidence evidence() {
    return new Evidence(exchanges, rows, Map.of("hsm", List.of()), 0);
  }

  /** Returns the figures of both phases. */
  public List<PhaseJudge.Figures> figures() {
    Evidence evidence = evidence();
    List<PhaseJudge.Figures> figures = new ArrayList<>();
    figures.add(
        new PhaseJudge(plan, record(managedPhase, 0, managedMillis, 5_000), evidence).figures());
    figures.add(
        new PhaseJudge(
                plan,
                record(unmanagedPhase, 200 * SECOND, unmanagedMillis, unmanagedBusyTicks),
                evidence)
            .figures());
    return figures;
  }

  private PhaseRecord record(Phase phase, long from, double millis, long busyTicks) {
    HsmFigures hsm =
        new HsmFigures(
            from, utilisation, 0, 5, queueP99, 12, 12_000, hsmRefused, 0, 80, millis, 2 * millis);
    List<Integer> nodes = IntStream.range(0, NODES).boxed().toList();
    Map<Integer, Long> resident = new HashMap<>();
    nodes.forEach(node -> resident.put(node, residentBytes - 1_000_000L * node));
    long until = from + (long) (phase.seconds() * SECOND);
    return new PhaseRecord(
        phase,
        from,
        until,
        Map.of("hsm", hsm),
        new ProcessTimes(3_000, 500, 500, busyTicks, 10_000),
        2,
        nodes,
        0,
        List.of(
            new Occurrence(
                "revoke",
                Optional.empty(),
                from,
                from + (long) (revocationSeconds * SECOND),
                OptionalDouble.empty(),
                false)),
        Map.of(),
        TimeoutLadder.none(),
        "",
        resident);
  }

  /** Returns all verdicts. */
  public List<Verdict> verdicts() {
    return Verdict.of(figures(), oracle());
  }

  /** Returns the oracle's figures. */
  public Map<Measure, Double> oracle() {
    return new Oracle(plan, evidence()).measures();
  }

  /** The goals that were missed. */
  List<String> missed() {
    return verdicts().stream()
        .filter(verdict -> !verdict.isMet())
        .map(verdict -> verdict.goal().measure().key())
        .toList();
  }
}
