package org.sluiceca.load.adcs;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.judge.PhaseRecord;
import org.sluiceca.load.page.Gnuplot;
import org.sluiceca.load.page.Page;
import org.sluiceca.load.page.Table;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.report.Results;
import org.sluiceca.load.report.Summary;
import org.sluiceca.load.watch.LedgerRow;
import org.sluiceca.load.watch.ProcessTimes;

/**
 * The figures of the field's test next to those of a run: with windows that the nodes share, and,
 * for comparison, with windows of a fixed size. Phases {@code one}, {@code managed} and {@code
 * unmanaged}.
 */
public final class ScalePage {

  private static final String ONE = "one";
  private static final String MANAGED = "managed";
  private static final String UNMANAGED = "unmanaged";
  private static final String NOT_TOLD = "not told";
  private static final double BYTES_PER_MEGABYTE = 1e6;

  private final Results results;
  private final PhaseJudge.Figures managed;
  private final PhaseJudge.Figures unmanaged;

  private ScalePage(Results results, PhaseJudge.Figures managed, PhaseJudge.Figures unmanaged) {
    this.results = results;
    this.managed = managed;
    this.unmanaged = unmanaged;
  }

  /** Returns the page of a run whose plan has the phases for it; empty for other plans. */
  public static Optional<ScalePage> of(Results results) {
    Optional<PhaseJudge.Figures> managed = phase(results, MANAGED);
    Optional<PhaseJudge.Figures> unmanaged = phase(results, UNMANAGED);
    return managed.isPresent() && unmanaged.isPresent()
        ? Optional.of(new ScalePage(results, managed.get(), unmanaged.get()))
        : Optional.empty();
  }

  private static Optional<PhaseJudge.Figures> phase(Results results, String name) {
    return results.phases().stream()
        .filter(figures -> figures.seen().phase().name().equals(name))
        .findFirst();
  }

  /** Draws what each node issued, and returns the picture's name. */
  public String draw(Path folder) throws IOException {
    NodeRates shared = rates(managed);
    NodeRates fixed = rates(unmanaged);
    StringBuilder data = new StringBuilder("# node shared fixed\n");
    shared
        .byNode()
        .forEach(
            (node, rate) ->
                data.append(
                    Text.format(
                        "%d\t%.3f\t%.3f\n", node, rate, fixed.byNode().getOrDefault(node, 0.0))));
    String script =
        """
        set terminal svg size 900,360 font 'sans,12' background '#ffffff'
        set key outside bottom center horizontal
        set grid ytics
        set style data histograms
        set style fill solid 0.8
        set yrange [0:*]
        set title 'What each CA issued'
        set xlabel 'CA'
        set ylabel 'certificates/s'
        plot 'per-node.tsv' using 2:xtic(1) title 'windows shared', '' using 3 title 'windows fixed'
        """;
    return new Gnuplot(folder).draw("per-node", data.toString(), script);
  }

  /** Returns a Markdown document with these pictures. */
  public String markdown(List<String> pictures) {
    Summary summary = new Summary(results);
    return new Page(results.plan().title())
        .paragraph(
            """
            Beside the figures of *Scale testing the world's largest PKI… all running on WS08R2 and Hyper-V* (Microsoft, 2009). \
            What each row is: docs/performance/ADCS-2009.md of the sources.
            """
                + summary.conditions()
                + ".")
        .paragraph(scale())
        .table(figures())
        .table(scaling())
        .table(summary.goals())
        .paragraph(summary.verdict())
        .paragraph("All figures: SUMMARY.md, results.json.")
        .pictures(pictures)
        .markdown();
  }

  private double times() {
    return FieldFigures.RATE / results.plan().capacity();
  }

  private String scale() {
    return times() == 1
        ? "At the rate of the field's HSM."
        : Text.format(
            "Time-scaled: the HSM signs %s a second instead of %s, so each of its signatures takes %s times as long.",
            Text.grouped(results.plan().capacity(), 0),
            Text.grouped(FieldFigures.RATE, 0),
            Text.grouped(times(), 1));
  }

  private Table figures() {
    Table table = new Table("", "the field's test", "windows shared", "windows fixed");
    Stream.of(issuance(), hsm(), answers(), costs()).flatMap(List::stream).forEach(table::add);
    return table;
  }

  private List<String[]> issuance() {
    return List.of(
        row("CAs", "10 VMs of 6 GB and one processor", f -> f.seen().nodes().size() + " processes"),
        row(
            "lets in",
            NOT_TOLD,
            f ->
                f.seen().phase().hasFixedWindows()
                    ? results.plan().fixedSessions() + " jobs a CA"
                    : "what is leased"),
        row("certificates/s", "~200", f -> Text.grouped(f.of(Measure.GOODPUT), 1)),
        row("of the HSM's capacity", NOT_TOLD, f -> Text.percent(f.of(Measure.GOODPUT_SHARE))),
        one(),
        row(
            "a CA of all, certificates/s",
            "~18–20",
            f -> Text.grouped(rates(f).least(), 2) + "–" + Text.grouped(rates(f).most(), 2)),
        row(
            "most by least",
            Text.grouped(FieldFigures.NODE_RATE_MOST / FieldFigures.NODE_RATE_LEAST, 2),
            f -> Text.grouped(f.of(Measure.SPREAD_NODES), 3)));
  }

  private List<String[]> hsm() {
    return List.of(
        row(
            "HSM's queue of " + results.plan().hsms().getFirst().queue() + ", p50, p99, max",
            "nearly full all the time",
            f -> whole(f, Measure.HSM_QUEUE_P50, Measure.HSM_QUEUE_P99, Measure.HSM_QUEUE_MAX)),
        row("HSM busy", "its processor 85 %", f -> Text.percent(f.of(Measure.HSM_UTILISATION))),
        row(
            "in the HSM p50, p99, ms",
            "not told; a queue of 150 at 200/s is 750",
            f -> whole(f, Measure.HSM_LATENCY_P50, Measure.HSM_LATENCY_P99)),
        row("refused by the HSM", NOT_TOLD, f -> whole(f, Measure.HSM_REFUSED)));
  }

  private List<String[]> answers() {
    return List.of(
        row(
            "answer p50, p99, ms",
            NOT_TOLD,
            f -> whole(f, Measure.LATENCY_P50, Measure.LATENCY_P99)),
        row(
            "told to come again, later, failed",
            NOT_TOLD,
            f ->
                String.join(
                    ", ",
                    Text.percent(f.of(Measure.REFUSED_SHARE)),
                    Text.percent(f.of(Measure.LATER_SHARE)),
                    Text.percent(f.of(Measure.FAILED_SHARE)))),
        row("urgent revocation on every CRL, s", NOT_TOLD, ScalePage::revocations));
  }

  /** What a CA costs its host. */
  private List<String[]> costs() {
    return List.of(
        row(
            "processor of a CA",
            "~25 % of one of 2009, database within",
            f -> Text.percent(f.of(Measure.NODE_PROCESSOR)) + " of one"),
        row(
            "processor for a certificate, a CA's",
            NOT_TOLD,
            f -> Text.grouped(millisEach(f, ProcessTimes::nodes), 1) + " ms"),
        row(
            "the database's for a certificate",
            "in the CA's",
            f -> Text.grouped(millisEach(f, ProcessTimes::database), 1) + " ms"),
        row(
            "processors of the host",
            "~20 % of 16",
            f -> Text.percent(f.of(Measure.PROCESSORS_BUSY))),
        row(
            "memory of a CA, most, mean, MB",
            "6,000 given, 2,000 wanted, system and database within",
            f ->
                Text.grouped(f.of(Measure.NODE_MEMORY), 0)
                    + ", "
                    + Text.grouped(meanMegabytes(f), 0)),
        row(
            "CAs by memory on 64 GB, beside system and database",
            Text.format("%d; %d wanted", FieldFigures.HOST_NODES, FieldFigures.HOST_NODES_WANTED),
            f ->
                Text.grouped(
                    Math.floor(1000 * FieldFigures.HOST_GB / f.of(Measure.NODE_MEMORY)), 0)));
  }

  /** How a lower rate changes each. */
  private static Table scaling() {
    Table table = new Table("figure", "with an HSM that is n times slower");
    table.add("certificates/s, of all and of a CA", "a nth");
    table.add(
        "shares, most by least, HSM busy, jobs in the HSM's queue",
        "the same but for chance, which is larger among fewer certificates; the WAN, which keeps its speed, holds a smaller part of what is under way");
    table.add("milliseconds in the HSM", "n times; their ratio is the same");
    table.add(
        "answers",
        "n times; of 20 sessions those that the line has no room for (2 s of work, 16 requests at least) are told to come again");
    table.add(
        "revocation",
        "waits for a signature n times as long, and as long as ever for records and looks: its goal is n times the second");
    table.add(
        "processor of a CA", "less, and more for a certificate: idle work is shared by fewer");
    table.add("memory", "the same");
    return table;
  }

  private String[] row(String what, String field, Function<PhaseJudge.Figures, String> figure) {
    return new String[] {what, field, figure.apply(managed), figure.apply(unmanaged)};
  }

  private String[] one() {
    String alone =
        phase(results, ONE)
            .map(figures -> Text.grouped(figures.of(Measure.GOODPUT), 1))
            .orElse("-");
    return new String[] {"a CA alone, certificates/s", "> 100", alone, "-"};
  }

  private NodeRates rates(PhaseJudge.Figures figures) {
    return NodeRates.of(figures, results.evidence());
  }

  private static String revocations(PhaseJudge.Figures figures) {
    List<String> times =
        figures.seen().occurrences().stream()
            .map(
                each ->
                    each.hasFailed()
                        ? "never"
                        : Text.grouped((each.atNanos() - each.begunNanos()) / 1e9, 2))
            .toList();
    return times.isEmpty() ? "-" : String.join(", ", times);
  }

  private double millisEach(PhaseJudge.Figures figures, ToLongFunction<ProcessTimes> whose) {
    PhaseRecord seen = figures.seen();
    long issued =
        results.evidence().rows().stream()
            .filter(LedgerRow::isIssued)
            .filter(row -> seen.contains(results.evidence().issuedNanos(row)))
            .count();
    return 1000 * ProcessTimes.seconds(whose.applyAsLong(seen.used())) / issued;
  }

  private static double meanMegabytes(PhaseJudge.Figures figures) {
    Map<Integer, Long> resident = figures.seen().residentBytes();
    return resident.values().stream().mapToLong(Long::longValue).average().orElse(Double.NaN)
        / BYTES_PER_MEGABYTE;
  }

  private static String whole(PhaseJudge.Figures figures, Measure... measures) {
    return Stream.of(measures)
        .map(measure -> Text.grouped(figures.of(measure), 0))
        .collect(Collectors.joining(", "));
  }
}
