package org.sluiceca.load.day.report;

import static org.sluiceca.load.page.Table.column;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.sluiceca.load.day.DayRun;
import org.sluiceca.load.day.state.Costs;
import org.sluiceca.load.day.state.DayPlan;
import org.sluiceca.load.day.state.History;
import org.sluiceca.load.day.state.MarkFigures;
import org.sluiceca.load.page.Goals;
import org.sluiceca.load.page.Page;
import org.sluiceca.load.page.Table;
import org.sluiceca.load.page.Text;

/** One page of a run: its goals, its sessions, and a column for each mark. */
record DayPage(DayRun.Result result, Map<String, String> machine, Goals goals) {

  private static final int RELATIONS = 12;
  private static final String NOTHING = "-";

  /**
   * Returns it.
   *
   * @param pictures the plots' files
   */
  Page page(List<String> pictures) {
    DayPlan plan = result.plan();
    return new Page(Text.format("A day: %,d certificates", plan.certificates()))
        .paragraph(
            result.isOver()
                ? ""
                : Text.format("**Not over**: %,d so far.", result.history().answered()))
        .paragraph(
            Text.format(
                "%d node(s) on %s, batches of %,d in a closed loop, every name another one. Method and words: docs/performance/DAY.md.",
                plan.nodes(),
                plan.rate() == 0
                    ? "a SoftHSM token (P-256), as fast as it goes"
                    : "a simulated HSM of " + plan.rate() + "/s (P-256)",
                DayPlan.BLOCK_MAX))
        .items(machine.entrySet().stream().map(it -> it.getKey() + ": " + it.getValue()).toList())
        .heading("Goals")
        .goals(goals)
        .section("Sessions", sessions(), "")
        .section("At the marks", marks(), "")
        .section("Octets a certificate by table and index", relations(), "")
        .pictures(pictures);
  }

  private Table sessions() {
    List<History.Session> sessions = result.history().sessions();
    Table table =
        Table.of(
            sessions,
            column("began (UTC)", DayPage::began),
            column("hours", session -> Text.number(session.hours(), 2)),
            column("of them issuing", session -> Text.number(session.issuingHours(), 2)),
            column("certificates", session -> Text.grouped(session.certificates())),
            column("certificates/s", session -> Text.number(session.perSecond(), 0)),
            column("ended", session -> session.hasEnded() ? "in order" : "killed"));
    double issuing = sessions.stream().mapToDouble(History.Session::issuingHours).sum();
    long certificates = sessions.stream().mapToLong(History.Session::certificates).sum();
    table.add(
        "together",
        Text.number(sessions.stream().mapToDouble(History.Session::hours).sum(), 2),
        Text.number(issuing, 2),
        Text.grouped(certificates),
        Text.number(certificates / (3600 * issuing), 0),
        "");
    return table;
  }

  private static String began(History.Session session) {
    Instant began = Instant.ofEpochMilli(session.beganMillis());
    return began.truncatedTo(ChronoUnit.MINUTES).toString();
  }

  private Table marks() {
    Table table = heading();
    row(table, "certificates/s before it", cost(cost -> Text.number(cost.perSecond(), 0)));
    row(
        table,
        "µs of processors a certificate: nodes",
        cost(cost -> Text.number(cost.nodeMicros(), 0)));
    row(table, "… database", cost(cost -> Text.number(cost.databaseMicros(), 0)));
    row(table, "… client", cost(cost -> Text.number(cost.clientMicros(), 0)));
    row(table, "processors busy", cost(cost -> Text.percent(cost.busyShare())));
    row(table, "nodes warm", cost(cost -> cost.isWarm() ? "yes" : "no"));
    for (String kind : kinds()) {
      row(table, kind + ", p50 / p99 ms", mark -> latency(mark, kind));
    }
    row(table, "database, MB", mark -> Text.grouped(mark.storeBytes() / 1e6, 0));
    row(
        table,
        "octets a certificate",
        mark -> Text.grouped((double) (mark.storeBytes() - mark.baseBytes()) / mark.stored(), 0));
    row(
        table,
        "… of them indexes",
        mark -> Text.grouped((double) indexes(mark) / mark.stored(), 0));
    row(table, "write-ahead log since the mark before, octets a certificate", this::wal);
    row(table, "index of names behind at the mark, s", mark -> seconds(mark.indexSeconds()));
    row(table, "memory of the nodes, MB", mark -> Text.number(mark.residentBytes() / 1e6, 0));
    row(table, "start of a node, s", mark -> seconds(mark.startSeconds()));
    row(table, "revoked in bulk", mark -> Text.grouped(mark.crl().revoked()));
    row(table, "… in seconds", mark -> seconds(mark.crl().bulkSeconds()));
    row(table, "CRL, entries", mark -> Text.grouped(mark.crl().entries()));
    row(table, "… octets", mark -> Text.grouped(mark.crl().bytes()));
    row(table, "… made in, ms", mark -> Text.number(mark.crl().signMillis(), 0));
    row(table, "… after one more revocation, s", mark -> seconds(mark.crl().publishedSeconds()));
    row(
        table,
        "audit verify, s",
        mark -> Double.isNaN(mark.auditSeconds()) ? "not run" : seconds(mark.auditSeconds()));
    if (result.plan().rate() > 0) {
      row(table, "HSM busy", mark -> Text.percent(mark.hsm().utilisation()));
      row(
          table,
          "HSM signed, queue p99",
          mark -> mark.hsm().signed() + ", " + mark.hsm().queueP99());
    }
    row(table, "load average", mark -> Text.number(mark.loadAverage(), 1));
    return table;
  }

  private List<String> kinds() {
    return result.marks().stream()
        .flatMap(mark -> mark.latencies().keySet().stream())
        .distinct()
        .sorted()
        .toList();
  }

  private Table relations() {
    Table table = heading();
    if (!result.marks().isEmpty()) {
      result.marks().getLast().store().stream()
          .limit(RELATIONS)
          .forEach(
              relation ->
                  row(
                      table,
                      relation.name() + (relation.isIndex() ? " (index)" : ""),
                      mark -> Text.grouped(octets(mark, relation) / mark.stored(), 0)));
    }
    return table;
  }

  /** A column for each mark. */
  private Table heading() {
    return new Table(cells("stored", mark -> Text.grouped(mark.stored())));
  }

  private void row(Table table, String name, Function<MarkFigures, String> cell) {
    table.add(cells(name, cell));
  }

  private String[] cells(String name, Function<MarkFigures, String> cell) {
    return Stream.concat(Stream.of(name), result.marks().stream().map(cell)).toArray(String[]::new);
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
        : Text.number(latency.p50(), 1)
            + " / "
            + Text.number(latency.p99(), 1)
            + (latency.wrong() == 0 ? "" : ", " + latency.wrong() + " wrong");
  }

  private String wal(MarkFigures mark) {
    long certificates = mark.stored() - result.plan().before(mark.mark());
    return result.history().walOctets(mark.mark(), certificates).stream()
        .mapToObj(octets -> Text.grouped(octets, 0))
        .findFirst()
        .orElse(NOTHING);
  }

  private Function<MarkFigures, String> cost(Function<Costs.Cost, String> figure) {
    return mark -> result.history().costs().at(mark.mark()).map(figure).orElse(NOTHING);
  }

  private static String seconds(double value) {
    return Text.number(value, 2);
  }
}
