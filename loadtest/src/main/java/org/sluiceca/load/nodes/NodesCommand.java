package org.sluiceca.load.nodes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.sluiceca.load.cli.Options;
import org.sluiceca.load.cli.Program;
import org.sluiceca.load.plan.PlanFile;

/**
 * What {@code ./sluice load nodes} starts when all runs are over: {@code PLAN OUT N…} reads {@code
 * OUT/N/results.json} of each N and writes the page, the picture and the figures into OUT. Exit
 * codes: 0 all goals met, 1 not, or a run has left no results.
 */
final class NodesCommand {

  private NodesCommand() {}

  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    Program.start(NodesCommand::run, "", arguments);
  }

  private static int run(Options options) throws IOException {
    List<String> words = options.words();
    return run(Path.of(words.get(0)), Path.of(words.get(1)), words.subList(2, words.size()));
  }

  static int run(Path plan, Path out, List<String> counts) throws IOException {
    List<NodesRun> runs = new ArrayList<>();
    for (String count : counts) {
      NodesRun run = NodesRun.parse(Files.readString(out.resolve(count).resolve("results.json")));
      if (run.nodes() != Integer.parseInt(count)) {
        throw new IOException("the results in " + count + " are of " + run.nodes() + " nodes");
      }
      runs.add(run);
    }
    runs.sort(Comparator.comparingInt(NodesRun::nodes));
    NodesPage page = new NodesPage(runs, PlanFile.read(plan).hsms().getFirst().servers());
    Files.writeString(out.resolve("results.json"), page.json());
    String text = page.page(page.draw(out)).markdown();
    Files.writeString(out.resolve("SUMMARY.md"), text);
    System.out.println(text);
    return page.missed() == 0 ? 0 : 1;
  }
}
