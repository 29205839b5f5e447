package org.sluiceca.load.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.plan.Measure;

/** The summary's tables of figures by phase: of all, of each HSM, of each requester. */
final class FigureTables {

  private final Results results;

  /** A column of a table. */
  private record Column(String title, Measure measure, Form form) {}

  /** How a figure is shown. */
  enum Form {
    WHOLE,
    ONE_DIGIT,
    PERCENT,
    INDEX
  }

  private static final List<Column> COLUMNS =
      List.of(
          new Column("offered/s", Measure.OFFERED, Form.WHOLE),
          new Column("certs/s", Measure.GOODPUT, Form.ONE_DIGIT),
          new Column("of possible", Measure.GOODPUT_SHARE, Form.PERCENT),
          new Column("HSM busy", Measure.HSM_UTILISATION, Form.PERCENT),
          new Column("HSM queue p50", Measure.HSM_QUEUE_P50, Form.WHOLE),
          new Column("p99", Measure.HSM_QUEUE_P99, Form.WHOLE),
          new Column("max", Measure.HSM_QUEUE_MAX, Form.WHOLE),
          new Column("HSM refused", Measure.HSM_REFUSED, Form.WHOLE),
          new Column("201 p50 ms", Measure.LATENCY_P50, Form.WHOLE),
          new Column("p99 ms", Measure.LATENCY_P99, Form.WHOLE),
          new Column("202", Measure.LATER_SHARE, Form.PERCENT),
          new Column("refused", Measure.REFUSED_SHARE, Form.PERCENT),
          new Column("Retry-After", Measure.RETRY_AFTER_SHARE, Form.PERCENT),
          new Column("Jain nodes", Measure.JAIN_NODES, Form.INDEX),
          new Column("requesters", Measure.JAIN_REQUESTERS, Form.INDEX),
          new Column("unanswered", Measure.UNANSWERED_SHARE, Form.PERCENT),
          new Column("unsent", Measure.UNSENT_SHARE, Form.PERCENT),
          new Column("sent late p99 ms", Measure.LATE_P99, Form.WHOLE),
          new Column("CPU busy", Measure.PROCESSORS_BUSY, Form.PERCENT),
          new Column("load", Measure.LOAD_AVERAGE, Form.ONE_DIGIT));

  private static final List<Column> HSM_COLUMNS =
      List.of(
          new Column("signed/s", Measure.HSM_SIGNED, Form.ONE_DIGIT),
          new Column("busy", Measure.HSM_UTILISATION, Form.PERCENT),
          new Column("queue p50", Measure.HSM_QUEUE_P50, Form.WHOLE),
          new Column("p99", Measure.HSM_QUEUE_P99, Form.WHOLE),
          new Column("max", Measure.HSM_QUEUE_MAX, Form.WHOLE),
          new Column("refused", Measure.HSM_REFUSED, Form.WHOLE),
          new Column("signs again s", Measure.HSM_SIGNS_AGAIN, Form.ONE_DIGIT));

  private static final List<Column> REQUESTER_COLUMNS =
      List.of(
          new Column("offered/s", Measure.OFFERED, Form.ONE_DIGIT),
          new Column("certs/s", Measure.GOODPUT, Form.ONE_DIGIT),
          new Column("of offered", Measure.GOODPUT_SHARE, Form.PERCENT),
          new Column("of the HSM's time", Measure.TIME_SHARE, Form.PERCENT),
          new Column("201 p50 ms", Measure.LATENCY_P50, Form.WHOLE),
          new Column("p99 ms", Measure.LATENCY_P99, Form.WHOLE),
          new Column("202", Measure.LATER_SHARE, Form.PERCENT),
          new Column("refused", Measure.REFUSED_SHARE, Form.PERCENT),
          new Column("failed", Measure.FAILED_SHARE, Form.PERCENT));

  FigureTables(Results results) {
    this.results = results;
  }

  /** Returns a row of figures of each phase. */
  List<List<String>> phases() {
    List<List<String>> rows = new ArrayList<>();
    List<String> heading = new ArrayList<>(List.of("phase"));
    COLUMNS.forEach(column -> heading.add(column.title()));
    rows.add(heading);
    for (PhaseJudge.Figures figures : results.phases()) {
      List<String> row = new ArrayList<>(List.of(figures.seen().phase().name()));
      COLUMNS.forEach(column -> row.add(shown(figures.of(column.measure()), column.form())));
      rows.add(row);
    }
    return rows;
  }

  /** Returns the tables of what belongs to one of several HSMs, or of several requesters. */
  List<List<List<String>>> parts() {
    List<List<List<String>>> tables = new ArrayList<>();
    if (results.plan().hsms().size() > 1) {
      tables.add(table("HSM", HSM_COLUMNS, PhaseJudge.Figures::hsms));
    }
    if (results.phases().stream().anyMatch(figures -> figures.requesters().size() > 1)) {
      tables.add(table("requester", REQUESTER_COLUMNS, PhaseJudge.Figures::requesters));
    }
    tables.addAll(new TokenTables(results).all());
    return tables;
  }

  private List<List<String>> table(
      String what,
      List<Column> columns,
      Function<PhaseJudge.Figures, Map<String, Map<Measure, Double>>> parts) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(new ArrayList<>(List.of("phase", what)));
    columns.forEach(column -> rows.getFirst().add(column.title()));
    for (PhaseJudge.Figures figures : results.phases()) {
      for (String name : parts.apply(figures).keySet().stream().sorted().toList()) {
        List<String> row = new ArrayList<>(List.of(figures.seen().phase().name(), name));
        columns.forEach(
            column -> row.add(shown(figures.of(column.measure(), name), column.form())));
        rows.add(row);
      }
    }
    return rows;
  }

  /** Returns a figure as people read it. */
  static String shown(double value, Form form) {
    if (Double.isNaN(value)) {
      return "-";
    }
    if (Double.isInfinite(value)) {
      return "never";
    }
    return switch (form) {
      case WHOLE -> String.format(Locale.ROOT, "%.0f", value);
      case ONE_DIGIT -> String.format(Locale.ROOT, "%.1f", value);
      case PERCENT -> String.format(Locale.ROOT, "%.1f%%", 100 * value);
      case INDEX -> String.format(Locale.ROOT, "%.3f", value);
    };
  }
}
