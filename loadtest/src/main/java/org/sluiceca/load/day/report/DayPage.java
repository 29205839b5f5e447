package org.sluiceca.load.day.report;

import com.google.errorprone.annotations.FormatMethod;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.sluiceca.load.day.DayRun;
import org.sluiceca.load.day.state.Costs;
import org.sluiceca.load.day.state.DayPlan;
import org.sluiceca.load.day.state.History;
import org.sluiceca.load.day.state.MarkFigures;

/** One page of a run: its goals, its sessions, and a column for each mark. */
final class DayPage {

  private static final int RELATIONS = 12;
  private static final String NOTHING = "–";

  private final DayRun.Result result;
  private final Map<String, String> machine;
  private final List<DayGoals.Goal> goals;
  private final StringBuilder page = new StringBuilder();

  DayPage(DayRun.Result result, Map<String, String> machine, List<DayGoals.Goal> goals) {
    this.result = result;
    this.machine = machine;
    this.goals = goals;
  }

  /**
   * Returns it.
   *
   * @param picture the plot's file; empty if there is nothing to draw yet
   */
  String markdown(Optional<String> picture) {
    DayPlan plan = result.plan();
    add("# A day: %,d certificates%n%n", plan.certificates());
    if (!result.isOver()) {
      add("**Not over**: %,d so far.%n%n", result.history().answered());
    }
    add(
        "%d node(s) on %s, batches of %,d in a closed loop, every name another one. "
            + "Method and words: docs/performance/DAY.md.%n%n",
        plan.nodes(),
        plan.rate() == 0
            ? "a SoftHSM token (P-256), as fast as it goes"
            : "a simulated HSM of " + plan.rate() + "/s (P-256)",
        DayPlan.BLOCK_MAX);
    machine.forEach((key, value) -> add("- %s: %s%n", key, value));
    goals();
    sessions();
    marks();
    relations();
    picture.ifPresent(file -> add("%n![over the number of stored certificates](%s)%n", file));
    return page.toString();
  }

  private void goals() {
    add("%n## Goals%n%n");
    for (DayGoals.Goal goal : goals) {
      String word =
          switch (goal.verdict()) {
            case MET -> "met";
            case MISSED -> "**MISSED**";
            case NOT_JUDGED -> "not judged";
          };
      add("- %s: %s%s%n", word, goal.name(), goal.seen().isEmpty() ? "" : " (" + goal.seen() + ")");
    }
  }

  private void sessions() {
    add("%n## Sessions%n%n");
    add("| began (UTC) | hours | of them issuing | certificates | certificates/s | ended |%n");
    add("|---|---|---|---|---|---|%n");
    double hours = 0;
    double issuing = 0;
    long certificates = 0;
    for (History.Session session : result.history().sessions()) {
      hours += session.hours();
      issuing += session.issuingHours();
      certificates += session.certificates();
      add(
          "| %s | %.2f | %.2f | %,d | %.0f | %s |%n",
          Instant.ofEpochMilli(session.beganMillis()).truncatedTo(ChronoUnit.MINUTES),
          session.hours(),
          session.issuingHours(),
          session.certificates(),
          session.perSecond(),
          session.hasEnded() ? "in order" : "killed");
    }
    add(
        "| **together** | **%.2f** | **%.2f** | **%,d** | **%.0f** | |%n",
        hours, issuing, certificates, certificates / (3600 * issuing));
  }

  private void marks() {
    add("%n## At the marks%n%n");
    row("stored", mark -> number("%,d", mark.stored()));
    page.append("|---").repeat("|---", result.marks().size()).append("|\n");
    row("certificates/s before it", cost(cost -> number("%.0f", cost.perSecond())));
    row("µs of processors a certificate: nodes", cost(cost -> number("%.0f", cost.nodeMicros())));
    row("… database", cost(cost -> number("%.0f", cost.databaseMicros())));
    row("… client", cost(cost -> number("%.0f", cost.clientMicros())));
    row("processors busy", cost(cost -> number("%.0f %%", 100 * cost.busyShare())));
    row("nodes warm", cost(cost -> cost.isWarm() ? "yes" : "no"));
    for (String kind : kinds()) {
      row(kind + ", p50 / p99 ms", mark -> latency(mark, kind));
    }
    row("database, MB", mark -> number("%,.0f", mark.storeBytes() / 1e6));
    row(
        "octets a certificate",
        mark -> number("%,.0f", (double) (mark.storeBytes() - mark.baseBytes()) / mark.stored()));
    row("… of them indexes", mark -> number("%,.0f", (double) indexes(mark) / mark.stored()));
    row("write-ahead log since the mark before, octets a certificate", this::wal);
    row("index of names behind at the mark, s", mark -> seconds(mark.indexSeconds()));
    row("memory of the nodes, MB", mark -> number("%.0f", mark.residentBytes() / 1e6));
    row("start of a node, s", mark -> seconds(mark.startSeconds()));
    row("revoked in bulk", mark -> number("%,d", mark.crl().revoked()));
    row("… in seconds", mark -> seconds(mark.crl().bulkSeconds()));
    row("CRL, entries", mark -> number("%,d", mark.crl().entries()));
    row("… octets", mark -> number("%,d", mark.crl().bytes()));
    row("… made in, ms", mark -> number("%.0f", mark.crl().signMillis()));
    row("… after one more revocation, s", mark -> seconds(mark.crl().publishedSeconds()));
    row(
        "audit verify, s",
        mark -> Double.isNaN(mark.auditSeconds()) ? "not run" : seconds(mark.auditSeconds()));
    if (result.plan().rate() > 0) {
      row("HSM busy", mark -> number("%.1f %%", 100 * mark.hsm().utilisation()));
      row("HSM signed, queue p99", mark -> mark.hsm().signed() + ", " + mark.hsm().queueP99());
    }
    row("load average", mark -> number("%.1f", mark.loadAverage()));
  }

  private List<String> kinds() {
    return result.marks().stream()
        .flatMap(mark -> mark.latencies().keySet().stream())
        .distinct()
        .sorted()
        .toList();
  }

  private void relations() {
    if (result.marks().isEmpty()) {
      return;
    }
    add("%n## Octets a certificate by table and index%n%n");
    row("stored", mark -> number("%,d", mark.stored()));
    page.append("|---").repeat("|---", result.marks().size()).append("|\n");
    result.marks().getLast().store().stream()
        .limit(RELATIONS)
        .forEach(
            relation ->
                row(
                    relation.name() + (relation.isIndex() ? " (index)" : ""),
                    mark -> number("%,.0f", octets(mark, relation) / mark.stored())));
  }

  private static double octets(MarkFigures mark, MarkFigures.Relation relation) {
    return mark.store().stream()
        .filter(each -> each.name().equals(relation.name()))
        .filter(each -> each.isIndex() == relation.isIndex())
        .mapToLong(MarkFigures.Relation::bytes)
        .sum();
  }

  private static long indexes(MarkFigures mark) {
    return mark.store().stream()
        .filter(MarkFigures.Relation::isIndex)
        .mapToLong(MarkFigures.Relation::bytes)
        .sum();
  }

  private static String latency(MarkFigures mark, String kind) {
    MarkFigures.Latency latency = mark.latencies().get(kind);
    return latency == null
        ? NOTHING
        : number("%.1f / %.1f", latency.p50(), latency.p99())
            + (latency.wrong() == 0 ? "" : ", " + latency.wrong() + " wrong");
  }

  private String wal(MarkFigures mark) {
    long certificates = mark.stored() - result.plan().before(mark.mark());
    return result.history().walOctets(mark.mark(), certificates).stream()
        .mapToObj(octets -> number("%,.0f", octets))
        .findFirst()
        .orElse(NOTHING);
  }

  private Function<MarkFigures, String> cost(Function<Costs.Cost, String> figure) {
    return mark -> result.history().costs().at(mark.mark()).map(figure).orElse(NOTHING);
  }

  private static String seconds(double value) {
    return number("%.2f", value);
  }

  private void row(String name, Function<MarkFigures, String> cell) {
    String cells =
        result.marks().stream().map(cell).collect(Collectors.joining(" | ", " | ", " |\n"));
    page.append("| ").append(name).append(cells);
  }

  @FormatMethod
  private static String number(String form, Object... values) {
    String text = String.format(Locale.ROOT, form, values);
    return text.contains("NaN") ? NOTHING : text;
  }

  @FormatMethod
  private void add(String form, Object... values) {
    page.append(String.format(Locale.ROOT, form, values));
  }
}
