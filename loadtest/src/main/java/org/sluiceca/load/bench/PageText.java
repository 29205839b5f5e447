package org.sluiceca.load.bench;

import static org.sluiceca.load.page.Table.column;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.sluiceca.load.page.Page;
import org.sluiceca.load.page.Table;
import org.sluiceca.load.page.Text;

/** The page of a benchmark, for a terminal and as Markdown. */
record PageText(Measured measured, Honesty honesty) {

  /** The product that the others are compared with. */
  static final String OURS = "sluice";

  /** The same load on us and on another CA. */
  private record Compared(Run.Subject with, String load, Ratio ratio) {}

  Page page() {
    Page page = new Page(measured.fact("title")).inFile(measured.fact("what")).table(figures());
    if (measured.subjects().size() > 1) {
      page.table(ratios());
    } else if (!measured.subjects().isEmpty()) {
      page.table(goals());
    }
    page.table(stores()).items(remarks());
    Table facts = new Table("measured on and with", "");
    measured.facts().entrySet().stream()
        .filter(fact -> !List.of("title", "what").contains(fact.getKey()))
        .forEach(fact -> facts.add(fact.getKey(), fact.getValue()));
    return page.inFile(facts);
  }

  private Table figures() {
    return Table.of(
        measured.loaded(),
        column("product", it -> it.subject().product()),
        column("configuration", it -> it.subject().configuration()),
        column("load", Measured.Loaded::load),
        column("certs/s", it -> shown(it.figures().rate())),
        column(
            "rounds from–to",
            it -> shown(it.figures().rateMin()) + "–" + shown(it.figures().rateMax())),
        column("p50 ms", it -> shown(it.figures().p50())),
        column("p99 ms", it -> shown(it.figures().p99())),
        column("CPU µs CA", it -> shown(it.figures().caMicros())),
        column("database", it -> shown(it.figures().databaseMicros())),
        column("client", it -> shown(it.figures().clientMicros())),
        column("allocated KiB", it -> shown(it.figures().allocatedBytes() / 1024)),
        column("resident MiB", it -> shown(it.figures().residentMib())),
        column("refused", it -> Long.toString(it.figures().refused())),
        column("other CPU", it -> Text.percent(it.figures().othersShare())),
        column("load average", it -> shown(it.figures().loadAverage())));
  }

  private Table ratios() {
    List<Compared> all = new ArrayList<>();
    Optional<Run.Subject> ours =
        measured.subjects().stream().filter(s -> s.product().equals(OURS)).findFirst();
    for (String load : measured.loads()) {
      for (Run.Subject subject : measured.subjects()) {
        List<Run> own = ours.map(us -> measured.of(us, load)).orElse(List.of());
        List<Run> theirs = measured.of(subject, load);
        if (!ours.equals(Optional.of(subject)) && own.size() == theirs.size() && !own.isEmpty()) {
          all.add(new Compared(subject, load, Ratio.of(own, theirs)));
        }
      }
    }
    return Table.of(
        all,
        column(OURS + " in the same rounds", it -> it.with().toString()),
        column("load", Compared::load),
        column("certs/s, times theirs", it -> Text.number(it.ratio().rate(), 2)),
        column(
            "rounds from–to",
            it -> Text.number(it.ratio().least(), 2) + "–" + Text.number(it.ratio().most(), 2)),
        column("their CPU, times ours", it -> Text.number(it.ratio().cpu(), 2)));
  }

  private Table goals() {
    return Table.of(
        Goals.judge(measured),
        column("goal", Goals.Verdict::goal),
        column("seen", it -> it.seen() < 10 ? Text.number(it.seen(), 2) : shown(it.seen())),
        column("", it -> Double.isNaN(it.seen()) ? "not stated" : it.isMet() ? "met" : "MISSED"));
  }

  private Table stores() {
    return Table.of(
        measured.stores(),
        column("store of", it -> it.subject().product()),
        column("configuration", it -> it.subject().configuration()),
        column("sent", it -> sum(it, Run::sent)),
        column("answered", it -> sum(it, Run::issued)),
        column("stored", it -> Long.toString(it.added())),
        column("openssl verify", Store::verified),
        column("durable by", Store::durability));
  }

  private String sum(Store store, ToLongFunction<Run> count) {
    List<Run> runs = measured.of(store.subject());
    return Long.toString(runs.stream().mapToLong(count).sum());
  }

  private List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    honesty.faults().forEach(fault -> remarks.add("FAULT: " + fault));
    honesty.doubts().forEach(doubt -> remarks.add("doubt: " + doubt));
    return remarks;
  }

  /** As people read it: three digits are enough of small figures. */
  static String shown(double value) {
    return Text.number(value, Math.abs(value) < 100 ? 1 : 0).replaceFirst("\\.0$", "");
  }
}
