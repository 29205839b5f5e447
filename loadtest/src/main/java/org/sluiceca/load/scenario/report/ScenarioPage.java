package org.sluiceca.load.scenario.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.judge.Verdict;
import org.sluiceca.load.plan.HsmPlan;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.scenario.judge.Drift;
import org.sluiceca.load.scenario.judge.NodeLook;
import org.sluiceca.load.scenario.judge.Operation;
import org.sluiceca.load.scenario.judge.ScenarioResults;
import org.sluiceca.load.scenario.judge.Watched;

/** The one page of a scenario: the verdict first, then the figures, each by who can know it. */
final class ScenarioPage {

  /** Of more phases, as of a soak's segments, a few stand for all. */
  private static final int PHASES_SHOWN = 12;

  private final ScenarioResults results;
  private final Run run;

  ScenarioPage(ScenarioResults results, Run run) {
    this.results = results;
    this.run = run;
  }

  /** Returns a Markdown document. */
  String markdown(List<String> plots) {
    StringBuilder page = new StringBuilder();
    page.append("# Scenario ").append(results.scenario().plan().name()).append("\n\n");
    page.append(results.scenario().plan().title()).append(".\n\n");
    page.append("**").append(verdict()).append("**\n\n");
    page.append(conditions()).append("\n\n");
    sections()
        .forEach(
            (heading, table) -> {
              if (!table.isEmpty()) {
                page.append("## ").append(heading).append("\n\n").append(table.markdown());
              }
            });
    plots.forEach(plot -> page.append("![").append(plot).append("](").append(plot).append(")\n"));
    return page.append("\nGatling's own report is made in the folder `gatling` beside this page.\n")
        .toString();
  }

  /** Returns the same for a terminal. */
  String text() {
    StringBuilder text = new StringBuilder(conditions()).append("\n\n");
    sections()
        .forEach(
            (heading, table) -> {
              if (!table.isEmpty()) {
                text.append(heading).append('\n').append(table.text());
              }
            });
    return text.append(verdict()).append('\n').toString();
  }

  private Map<String, Table> sections() {
    Map<String, Table> sections = new LinkedHashMap<>();
    sections.put("Phases", phases());
    sections.put("Queue, HSM and processors", queues());
    sections.put("Requesters", requesters());
    sections.put("Other requests", operations());
    sections.put("Answers that are no success", errors());
    sections.put("Nodes", nodes());
    sections.put("Drift", drifts());
    sections.put("Limits", limits());
    return sections;
  }

  private String verdict() {
    return results.missed() == 0
        ? "all %d goals and limits met".formatted(results.judged())
        : "%d of %d goals and limits missed".formatted(results.missed(), results.judged());
  }

  private String conditions() {
    Plan plan = results.scenario().plan();
    HsmPlan hsm = plan.hsms().getFirst();
    String issuers =
        plan.nodes().issuers().stream()
            .map(i -> ", %s %.1f ms".formatted(i.key(), hsm.serviceMillis(i.key())))
            .collect(Collectors.joining());
    String machine =
        new TreeMap<>(run.machine())
            .entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "%s%s: %d nodes on one HSM of %.0f signatures/s (%d servers, %s %.1f ms%s, queue %d, round"
            + " trip %.0f ms). Gatling, open model, %s arrivals, latencies from when a request was"
            + " due; %s; Prefer: wait=%d. %d requests, %d certificates. %s.",
        run.began(),
        run.commit().isEmpty() ? "" : ", commit " + run.commit(),
        plan.nodes().count(),
        hsm.rate(),
        hsm.servers(),
        plan.nodes().issuerKey(),
        hsm.serviceMillis(plan.nodes().issuerKey()),
        issuers,
        hsm.queue(),
        hsm.rttMillis(),
        plan.client().isPoisson() ? "Poisson" : "even",
        results.scenario().clients().told(),
        plan.client().waitSeconds(),
        results.requests(),
        results.certificates(),
        machine);
  }

  /** All phases, or of many the first, the slowest by p99, the middling and the last. */
  private List<PhaseJudge.Figures> shown() {
    List<PhaseJudge.Figures> all = results.phases();
    if (all.size() <= PHASES_SHOWN) {
      return all;
    }
    List<PhaseJudge.Figures> measured = new ArrayList<>(results.measured());
    List<PhaseJudge.Figures> byLatency =
        measured.stream()
            .sorted(Comparator.comparingDouble(f -> f.of(Measure.LATENCY_P99)))
            .toList();
    List<PhaseJudge.Figures> some =
        List.of(
            measured.getFirst(),
            byLatency.get(byLatency.size() / 2),
            byLatency.getLast(),
            measured.getLast());
    return all.stream().filter(some::contains).toList();
  }

  private Table phases() {
    Table table =
        new Table(
            "phase",
            "offered/s",
            "issued/s",
            "of possible",
            "p50 ms",
            "p99 ms",
            "max ms",
            "202",
            "refused",
            "failed",
            "sent late p99 ms",
            "Jain nodes",
            "requesters");
    for (PhaseJudge.Figures f : shown()) {
      table.add(
          f.seen().phase().name(),
          Table.number(f.of(Measure.OFFERED), 1),
          Table.number(f.of(Measure.GOODPUT), 1),
          Table.percent(f.of(Measure.GOODPUT_SHARE)),
          Table.number(f.of(Measure.LATENCY_P50), 0),
          Table.number(f.of(Measure.LATENCY_P99), 0),
          Table.number(f.of(Measure.LATENCY_MAX), 0),
          Table.percent(f.of(Measure.LATER_SHARE)),
          Table.percent(f.of(Measure.REFUSED_SHARE)),
          Table.percent(f.of(Measure.FAILED_SHARE)),
          Table.number(f.of(Measure.LATE_P99), 1),
          Table.number(f.of(Measure.JAIN_NODES), 3),
          Table.number(f.of(Measure.JAIN_REQUESTERS), 3));
    }
    return table;
  }

  /** Depth, wait and what is in flight by the nodes, the HSM's queue by the HSM. */
  private Table queues() {
    Table table =
        new Table(
            "phase",
            "on the line",
            "max",
            "queue",
            "max",
            "oldest s",
            "wait mean ms",
            "in flight",
            "of window",
            "HSM busy",
            "HSM queue p50",
            "p99",
            "max",
            "refused by it",
            "processors busy",
            "nodes",
            "PostgreSQL",
            "Gatling",
            "load");
    for (PhaseJudge.Figures f : shown()) {
      Watched watched = watched(f);
      Queue queue = Queue.of(looks(watched));
      table.add(
          f.seen().phase().name(),
          Table.number(queue.depthMean(), 1),
          Table.number(queue.depthMax(), 0),
          Table.number(queue.waitingMean(), 1),
          Table.number(queue.waitingMax(), 0),
          Table.number(queue.oldestMax(), 1),
          Table.number(queue.waitMillis(), 1),
          Table.number(queue.inflight(), 1),
          Table.percent(queue.utilization()),
          Table.percent(f.of(Measure.HSM_UTILISATION)),
          Table.number(f.of(Measure.HSM_QUEUE_P50), 0),
          Table.number(f.of(Measure.HSM_QUEUE_P99), 0),
          Table.number(f.of(Measure.HSM_QUEUE_MAX), 0),
          Table.number(f.of(Measure.HSM_REFUSED), 0),
          Table.percent(f.of(Measure.PROCESSORS_BUSY))
              + (f.isOfBusyMachine() ? " (the limit)" : ""),
          Table.percent(watched.used().share(watched.used().nodes())),
          Table.percent(watched.used().share(watched.used().database())),
          Table.percent(watched.used().share(watched.gatlingTicks())),
          Table.number(f.of(Measure.LOAD_AVERAGE), 1));
    }
    return table;
  }

  private Watched watched(PhaseJudge.Figures figures) {
    return results.watched().get(results.phases().indexOf(figures));
  }

  private List<NodeLook> looks(Watched watched) {
    return results.looks().stream()
        .filter(
            look ->
                look.epochMillis() >= watched.fromMillis()
                    && look.epochMillis() < watched.untilMillis())
        .toList();
  }

  private Table requesters() {
    Table table =
        new Table(
            "phase",
            "requester",
            "offered/s",
            "issued/s",
            "of offered",
            "of the HSM's time",
            "p50 ms",
            "p99 ms",
            "refused",
            "failed");
    for (PhaseJudge.Figures f : shown()) {
      if (f.requesters().size() < 2) {
        continue;
      }
      for (String name : new TreeMap<>(f.requesters()).keySet()) {
        table.add(
            f.seen().phase().name(),
            name,
            Table.number(f.of(Measure.OFFERED, name), 1),
            Table.number(f.of(Measure.GOODPUT, name), 1),
            Table.percent(f.of(Measure.GOODPUT_SHARE, name)),
            Table.percent(f.of(Measure.TIME_SHARE, name)),
            Table.number(f.of(Measure.LATENCY_P50, name), 0),
            Table.number(f.of(Measure.LATENCY_P99, name), 0),
            Table.percent(f.of(Measure.REFUSED_SHARE, name)),
            Table.percent(f.of(Measure.FAILED_SHARE, name)));
      }
    }
    return table;
  }

  private Table operations() {
    Table table =
        new Table("phase", "what", "asked/s", "served/s", "p50 ms", "p99 ms", "refused", "failed");
    for (Operation operation : results.operations()) {
      if (shown().stream().anyMatch(f -> f.seen().phase().name().equals(operation.phase()))) {
        table.add(
            operation.phase(),
            operation.kind().key(),
            Table.number(operation.asked(), 1),
            Table.number(operation.served(), 1),
            Table.number(operation.p50Millis(), 0),
            Table.number(operation.p99Millis(), 0),
            Table.percent(operation.refusedShare()),
            Table.percent(operation.failedShare()));
      }
    }
    return table;
  }

  private Table errors() {
    Table table = new Table("request: status and problem", "answers", "of all requests");
    new TreeMap<>(results.errors())
        .forEach(
            (error, count) ->
                table.add(
                    error, count.toString(), Table.percent((double) count / results.requests())));
    return table;
  }

  /** By the kernel, from the first look to the last of each life. */
  private Table nodes() {
    Table table =
        new Table("node", "resident MB first", "last", "max", "threads", "max", "files", "max");
    results.looks().stream()
        .collect(Collectors.groupingBy(NodeLook::pid, TreeMap::new, Collectors.toList()))
        .forEach(
            (pid, life) ->
                table.add(
                    "node " + life.getFirst().node(),
                    Table.number(life.getFirst().rssMegabytes(), 0),
                    Table.number(life.getLast().rssMegabytes(), 0),
                    Table.number(
                        life.stream().mapToDouble(NodeLook::rssMegabytes).max().orElse(0), 0),
                    "" + life.getLast().threads(),
                    "" + life.stream().mapToInt(NodeLook::threads).max().orElse(0),
                    "" + life.getLast().files(),
                    "" + life.stream().mapToInt(NodeLook::files).max().orElse(0)));
    return table;
  }

  private Table drifts() {
    Table table =
        new Table(
            "series",
            "of",
            "median",
            "slope an hour",
            "90 % interval",
            "over hours",
            "grew",
            "for certain");
    if (results.scenario().soak().isEmpty()) {
      // Minutes of changing load tell nothing of what time does.
      return table;
    }
    for (Drift drift : results.drifts()) {
      table.add(
          drift.figure().key(),
          drift.of(),
          Table.number(drift.trend().median(), 1),
          Table.number(drift.trend().perHour(), 2),
          Table.number(drift.trend().lowPerHour(), 2)
              + " to "
              + Table.number(drift.trend().highPerHour(), 2),
          Table.number(drift.trend().hours(), 2),
          grown(drift, drift.likelyGrowth()),
          grown(drift, Math.max(0, drift.growth())));
    }
    return table;
  }

  private static String grown(Drift drift, double growth) {
    return drift.isShare() ? Table.percent(growth) : Table.number(growth, 2);
  }

  /** Goals that many phases share stand once, with the worst that was seen. */
  private Table limits() {
    Table table = new Table("of", "goal or limit", "seen", "");
    Map<String, List<Verdict>> byGoal = new LinkedHashMap<>();
    boolean isMany = results.phases().size() > PHASES_SHOWN;
    for (Verdict verdict : results.verdicts()) {
      String of = verdict.phase();
      String key =
          (isMany && !of.equals(Verdict.WHOLE_RUN) ? "every phase" : of) + "\t" + verdict.goal();
      byGoal.computeIfAbsent(key, name -> new ArrayList<>()).add(verdict);
    }
    byGoal.forEach(
        (key, verdicts) -> {
          Verdict worst =
              verdicts.stream()
                  .min(
                      Comparator.comparing(Verdict::isMet)
                          .thenComparingDouble(v -> v.goal().isAtLeast() ? v.value() : -v.value()))
                  .orElseThrow();
          long missed = verdicts.stream().filter(verdict -> !verdict.isMet()).count();
          String base = worst.goal().isRelative() ? " (" + Table.number(worst.base(), 3) + ")" : "";
          table.add(
              key.substring(0, key.indexOf('\t')),
              worst.goal() + base,
              Table.number(worst.value(), 3),
              judged(worst, missed, verdicts.size()));
        });
    for (ScenarioResults.Judged limit : results.limits()) {
      table.add(
          Verdict.WHOLE_RUN,
          limit.limit().toString(),
          Table.number(limit.value(), 3),
          limit.isKept() ? "met" : "MISSED");
    }
    return table;
  }

  private static String judged(Verdict worst, long missed, int all) {
    if (missed == 0) {
      return "met";
    }
    String where = all > 1 ? " in " + missed + " of " + all : "";
    return "MISSED" + where + (worst.isOfBusyMachine() ? ": processors" : "");
  }
}
