package org.sluiceca.load.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.cli.Options;
import org.sluiceca.load.plan.Client;
import org.sluiceca.load.plan.Client.WhenRefused;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.report.Results;
import org.sluiceca.load.run.Machine;
import org.sluiceca.load.scenario.judge.ScenarioResults;
import org.sluiceca.load.scenario.run.ScenarioRun;
import org.sluiceca.load.scenario.wire.Parent;
import org.sluiceca.load.watch.HsmMaker;

/**
 * {@code ./sluice load} of a plan with Gatling as the client: {@code --work --csr-pool --gatling},
 * and of the user's own {@code --nodes --rate --seconds --clients --connections --credentials
 * --when-refused}. What the user chose is kept in {@code --work}, and holds when the run is
 * resumed.
 */
final class ScenarioCommand {

  private static final String CHOICES = "choices";
  private static final String BEGAN = "--began";
  private static final String CHOSEN =
      "--nodes --rate --seconds --clients --connections --credentials --when-refused";

  private final LoadCommand command;
  private final Plan file;
  private final Options given;

  ScenarioCommand(LoadCommand command, Plan file, Options given) {
    this.command = command;
    this.file = file;
    this.given = given;
  }

  /** Returns the exit code: 0 if all goals were met. */
  int run() throws IOException, GeneralSecurityException {
    // Who resumes a run whose launcher was killed must not meet the one that was left alone.
    Parent.watch(() -> System.exit(1));
    Path work = given.path("--work");
    Options choices = choices(Files.createDirectories(work));
    Plan plan = chosen(file, choices);
    HsmMaker maker = command.maker(plan);
    Path out = Files.createDirectories(given.path("--out"));
    ScenarioRun.Parts parts =
        new ScenarioRun.Parts(
            work, given.path("--csr-pool"), given.text("--gatling"), out.resolve("gatling"));
    ScenarioResults seen =
        new ScenarioRun(plan, command.nodes(plan, maker), maker, parts, System.err).run();
    return command.end(
        Results.of(
            seen,
            Instant.parse(choices.text(BEGAN)),
            Machine.describe(Map.of("commit", given.text("--commit", "unknown")))));
  }

  /** What the user chose: in the first sitting, if there was one. */
  private Options choices(Path work) throws IOException {
    Path kept = work.resolve(CHOICES);
    if (!Files.exists(kept)) {
      List<String> words = new ArrayList<>(List.of(BEGAN, Instant.now().toString()));
      for (String name : CHOSEN.split(" ", -1)) {
        given.find(name).ifPresent(value -> words.addAll(List.of(name, value)));
      }
      Path fresh = Files.write(work.resolve("fresh"), words);
      Path ignored = Files.move(fresh, kept, StandardCopyOption.ATOMIC_MOVE);
    }
    return Options.parse(BEGAN + " " + CHOSEN, Files.readAllLines(kept).toArray(String[]::new));
  }

  private static Plan chosen(Plan file, Options choices) {
    Client client = file.client();
    return file.with(
            client.with(
                is(choices, "--connections", "keep", "new", client.keepsConnections()),
                is(choices, "--credentials", "certificate", "token", client.isMutual()),
                choices.find("--when-refused").map(WhenRefused::of).orElse(client.whenRefused())))
        .with(
            new Plan.Changes(
                choices.findWhole("--nodes"),
                choices.findNumber("--rate"),
                choices.findNumber("--seconds"),
                OptionalDouble.empty(),
                choices.findWhole("--clients")));
  }

  private static boolean is(
      Options choices, String name, String yes, String no, boolean otherwise) {
    String word = choices.text(name, otherwise ? yes : no);
    if (!word.equals(yes) && !word.equals(no)) {
      throw new InputException(name + " is " + yes + " or " + no + ", not '" + word + "'");
    }
    return word.equals(yes);
  }
}
