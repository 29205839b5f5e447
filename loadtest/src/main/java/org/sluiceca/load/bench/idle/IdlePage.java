package org.sluiceca.load.bench.idle;

import static org.sluiceca.load.page.Table.column;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.sluiceca.load.page.Goals;
import org.sluiceca.load.page.Json;
import org.sluiceca.load.page.Page;
import org.sluiceca.load.page.Table;
import org.sluiceca.load.page.Text;

/**
 * {@code IdlePage RECORD OUT}: the page of what {@code bench idle} wrote down. Writes {@code
 * SUMMARY.md} and {@code results.json} into the folder OUT and prints the tables. Exit codes: 0
 * honest, whatever the goals; 1 not; 2 the record cannot be read.
 */
final class IdlePage {

  private final IdleRun run;

  private IdlePage(IdleRun run) {
    this.run = run;
  }

  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    System.exit(run(Path.of(arguments[0]), Path.of(arguments[1])));
  }

  static int run(Path record, Path out) {
    try {
      IdleRun run = IdleRun.parse(Files.readAllLines(record));
      Page page = new IdlePage(run).page();
      Files.createDirectories(out);
      Files.writeString(out.resolve("SUMMARY.md"), page.markdown());
      Files.writeString(out.resolve("results.json"), json(run));
      System.out.print(page.text());
      return run.faults().isEmpty() ? 0 : 1;
    } catch (IOException | IllegalArgumentException e) {
      System.err.println("sluice: " + record + ": " + e.getMessage());
      return 2;
    }
  }

  private static String json(IdleRun run) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("facts", run.facts());
    document.put("windows", run.windows());
    document.put("starts", run.starts());
    document.put("stores", run.stores());
    document.put("goals", IdleGoals.judge(run).all());
    document.put("faults", run.faults());
    document.put("doubts", run.doubts());
    return Json.text(document);
  }

  private Page page() {
    Goals goals = IdleGoals.judge(run);
    Page page =
        new Page(run.fact("title"))
            .inFile(run.fact("what"))
            .table(windows())
            .table(starts())
            .goals(goals)
            .table(stores())
            .items(run.faults().stream().map(fault -> "FAULT: " + fault).toList())
            .items(run.doubts().stream().map(doubt -> "doubt: " + doubt).toList());
    Table facts = new Table("measured on and with", "");
    run.facts().entrySet().stream()
        .filter(fact -> !List.of("title", "what").contains(fact.getKey()))
        .forEach(fact -> facts.add(fact.getKey(), fact.getValue()));
    return page.inFile(facts);
  }

  private Table windows() {
    return Table.of(
        run.windows(),
        column("product", Window::product),
        column("rate/s", it -> Integer.toString(it.rate())),
        column("minutes", Window::minutes),
        column("CPU ms/cert", it -> Text.number(it.caMillisEach(), 2)),
        column("of it JIT", it -> Text.number(it.millisEach(it.jitMicros()), 2)),
        column("database", it -> Text.number(it.databaseMillisEach(), 2)),
        column("% of a core", it -> Text.number(100 * it.caCoreShare(), 2)),
        column("database %", it -> Text.number(100 * it.databaseCoreShare(), 2)),
        column("p50 ms", it -> Text.number(it.p50Millis(), 2)),
        column("p99 ms", it -> Text.number(it.p99Millis(), 2)),
        column("resident MiB", it -> mebibytes(it.residentKib())),
        column("most", it -> mebibytes(it.residentMostKib())),
        column("not 201", it -> Long.toString(it.refused())),
        column("other CPU", it -> Text.percent(it.othersShare())));
  }

  private static String mebibytes(long kib) {
    return Text.number(kib / 1024.0, 0);
  }

  private Table starts() {
    return Table.of(
        run.starts(),
        column("product", IdleRun.Start::product),
        column("rate/s", it -> Integer.toString(it.rate())),
        column("CPU s before ready", it -> Text.number(it.readyMicros() / 1e6, 2)),
        column("of it JIT", it -> Text.number(it.readyJitMicros() / 1e6, 2)),
        column(
            "from ready to the load",
            it -> Text.number((it.loadMicros() - it.readyMicros()) / 1e6, 2)));
  }

  private Table stores() {
    return Table.of(
        run.stores(),
        column("store of", IdleRun.Stored::product),
        column("rate/s", it -> Integer.toString(it.rate())),
        column("sent", it -> sum(it, Window::sent)),
        column("answered", it -> sum(it, Window::issued)),
        column("stored", it -> Long.toString(it.added())),
        column("openssl verify", IdleRun.Stored::verified),
        column("durable by", IdleRun.Stored::durability));
  }

  private String sum(IdleRun.Stored store, ToLongFunction<Window> count) {
    return Long.toString(run.of(store).stream().mapToLong(count).sum());
  }
}
