package org.sluiceca.load.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The page of a benchmark, for a terminal and as Markdown. */
final class PageText {

  /** The product that the others are compared with. */
  static final String OURS = "sluice";

  private final Measured measured;
  private final Honesty honesty;

  PageText(Measured measured, Honesty honesty) {
    this.measured = measured;
    this.honesty = honesty;
  }

  /** Returns the tables in line, without marks. */
  String text() {
    StringBuilder text = new StringBuilder();
    for (List<List<String>> table : tables()) {
      text.append(aligned(table)).append('\n');
    }
    return text.append(remarks("")).toString();
  }

  /** Returns a document. */
  String markdown() {
    StringBuilder text = new StringBuilder("# ").append(measured.fact("title")).append("\n\n");
    text.append(measured.fact("what")).append("\n\n");
    for (List<List<String>> table : tables()) {
      text.append(marked(table)).append('\n');
    }
    String remarks = remarks("- ");
    text.append(remarks).append(remarks.isEmpty() ? "" : "\n");
    List<List<String>> facts = new ArrayList<>(List.of(List.of("measured on and with", "")));
    measured
        .facts()
        .forEach(
            (name, value) -> {
              if (!name.equals("title") && !name.equals("what")) {
                facts.add(List.of(name, value));
              }
            });
    return text.append(marked(facts)).toString();
  }

  private List<List<List<String>>> tables() {
    List<List<List<String>>> tables = new ArrayList<>(List.of(figures()));
    if (measured.subjects().size() > 1) {
      ratios().ifPresent(tables::add);
    } else if (!measured.subjects().isEmpty()) {
      List<List<String>> goals = goals();
      if (goals.size() > 1) {
        tables.add(goals);
      }
    }
    tables.add(stores());
    return tables;
  }

  private List<List<String>> figures() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "product",
            "configuration",
            "load",
            "certs/s",
            "rounds from–to",
            "p50 ms",
            "p99 ms",
            "CPU µs CA",
            "database",
            "client",
            "allocated KiB",
            "resident MiB",
            "refused",
            "other CPU",
            "load average"));
    for (String load : measured.loads()) {
      for (Run.Subject subject : measured.subjects()) {
        List<Run> rounds = measured.of(subject, load);
        if (!rounds.isEmpty()) {
          rows.add(row(subject, load, Figures.of(rounds)));
        }
      }
    }
    return rows;
  }

  private static List<String> row(Run.Subject subject, String load, Figures figures) {
    return List.of(
        subject.product(),
        subject.configuration(),
        load,
        shown(figures.rate()),
        shown(figures.rateMin()) + "–" + shown(figures.rateMax()),
        shown(figures.p50()),
        shown(figures.p99()),
        shown(figures.caMicros()),
        shown(figures.databaseMicros()),
        shown(figures.clientMicros()),
        shown(figures.allocatedBytes() / 1024),
        shown(figures.residentMib()),
        Long.toString(figures.refused()),
        percent(figures.othersShare()),
        shown(figures.loadAverage()));
  }

  private Optional<List<List<String>>> ratios() {
    Optional<Run.Subject> ours =
        measured.subjects().stream().filter(s -> s.product().equals(OURS)).findFirst();
    if (ours.isEmpty()) {
      return Optional.empty();
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            OURS + " beside",
            "load",
            "certs/s, times theirs",
            "rounds from–to",
            "their CPU, times ours"));
    for (String load : measured.loads()) {
      for (Run.Subject subject : measured.subjects()) {
        List<Run> own = measured.of(ours.get(), load);
        List<Run> theirs = measured.of(subject, load);
        if (!subject.equals(ours.get()) && own.size() == theirs.size() && !own.isEmpty()) {
          Ratio ratio = Ratio.of(own, theirs);
          rows.add(
              List.of(
                  subject.toString(),
                  load,
                  two(ratio.rate()),
                  two(ratio.least()) + "–" + two(ratio.most()),
                  two(ratio.cpu())));
        }
      }
    }
    return Optional.of(rows);
  }

  private List<List<String>> goals() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("goal", "seen", ""));
    for (Goals.Verdict verdict : Goals.judge(measured)) {
      rows.add(
          List.of(
              verdict.goal(),
              verdict.seen() < 10 ? two(verdict.seen()) : shown(verdict.seen()),
              Double.isNaN(verdict.seen()) ? "not told" : verdict.isMet() ? "met" : "MISSED"));
    }
    return rows;
  }

  private List<List<String>> stores() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "store of",
            "configuration",
            "sent",
            "answered",
            "stored",
            "openssl verify",
            "durable by"));
    for (Store store : measured.stores()) {
      List<Run> runs = measured.of(store.subject());
      rows.add(
          List.of(
              store.subject().product(),
              store.subject().configuration(),
              Long.toString(runs.stream().mapToLong(run -> run.answers().sent()).sum()),
              Long.toString(runs.stream().mapToLong(run -> run.answers().issued()).sum()),
              Long.toString(store.added()),
              store.verified(),
              store.durability()));
    }
    return rows;
  }

  private String remarks(String mark) {
    StringBuilder text = new StringBuilder();
    honesty
        .faults()
        .forEach(fault -> text.append(mark).append("FAULT: ").append(fault).append('\n'));
    honesty
        .doubts()
        .forEach(doubt -> text.append(mark).append("doubt: ").append(doubt).append('\n'));
    return text.toString();
  }

  /** As people read it: three digits are enough of small figures. */
  static String shown(double value) {
    if (Double.isNaN(value)) {
      return "-";
    }
    return String.format(Locale.ROOT, Math.abs(value) < 100 ? "%.1f" : "%.0f", value)
        .replaceFirst("\\.0$", "");
  }

  private static String two(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2f", value);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * share);
  }

  private static String marked(List<List<String>> rows) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      text.append("| ").append(String.join(" | ", rows.get(i))).append(" |\n");
      if (i == 0) {
        text.append("|---".repeat(rows.getFirst().size())).append("|\n");
      }
    }
    return text.toString();
  }

  private static String aligned(List<List<String>> rows) {
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
