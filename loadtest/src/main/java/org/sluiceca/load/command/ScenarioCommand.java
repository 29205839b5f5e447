package org.sluiceca.load.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.sluiceca.load.cli.Options;
import org.sluiceca.load.report.Results;
import org.sluiceca.load.run.Machine;
import org.sluiceca.load.scenario.Clients;
import org.sluiceca.load.scenario.Scenario;
import org.sluiceca.load.scenario.ScenarioFile;
import org.sluiceca.load.scenario.judge.ScenarioResults;
import org.sluiceca.load.scenario.run.ScenarioRun;
import org.sluiceca.load.scenario.wire.Parent;
import org.sluiceca.load.watch.HsmMaker;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code ./sluice load SCENARIO}: the options of {@link LoadCommand} with {@code --scenario}
 * instead of {@code --plan}, and {@code --work --csr-pool --gatling --commit}; of the user's own
 * {@code --nodes --rate --seconds --clients --connections --credentials --when-refused}. What the
 * user chose is kept in {@code --work}, and holds when the run is resumed.
 */
final class ScenarioCommand {

  private static final String CHOICES = "choices.json";
  private static final JsonMapper JSON = new JsonMapper();

  private final LoadCommand command;
  private final Options given;

  ScenarioCommand(LoadCommand command, Options given) {
    this.command = command;
    this.given = given;
  }

  /** What of a scenario the user chose, an empty word for what is as the file says. */
  private record Choices(
      String began,
      String nodes,
      String rate,
      String seconds,
      String clients,
      String connections,
      String credentials,
      String whenRefused) {}

  /** Returns the exit code: 0 if all goals and limits were met. */
  int run() throws IOException, GeneralSecurityException {
    // Who resumes a run whose launcher was killed must not meet the one that was left alone.
    Parent.watch(() -> System.exit(1));
    Path work = given.path("--work");
    Choices choices = choices(Files.createDirectories(work));
    Scenario file = ScenarioFile.read(given.path("--scenario"));
    Scenario scenario = chosen(file, choices);
    HsmMaker maker = command.maker(scenario.plan());
    Path out = Files.createDirectories(given.path("--out"));
    ScenarioRun.Parts parts =
        new ScenarioRun.Parts(
            work, given.path("--csr-pool"), given.text("--gatling"), out.resolve("gatling"));
    ScenarioResults seen =
        new ScenarioRun(scenario, command.nodes(scenario.plan(), maker), maker, parts, System.err)
            .run();
    return command.end(
        Results.of(
            seen,
            Instant.parse(choices.began()),
            Machine.describe(Map.of("commit", given.text("--commit", "unknown")))));
  }

  /** Those of the first sitting, if there was one. */
  private Choices choices(Path work) throws IOException {
    Path kept = work.resolve(CHOICES);
    if (Files.exists(kept)) {
      return JSON.readValue(Files.readString(kept), Choices.class);
    }
    Choices choices =
        new Choices(
            Instant.now().toString(),
            given.text("--nodes", ""),
            given.text("--rate", ""),
            given.text("--seconds", ""),
            given.text("--clients", ""),
            given.text("--connections", ""),
            given.text("--credentials", ""),
            given.text("--when-refused", ""));
    Path fresh = Files.writeString(work.resolve("fresh"), JSON.writeValueAsString(choices));
    Path ignored = Files.move(fresh, kept, StandardCopyOption.ATOMIC_MOVE);
    return choices;
  }

  private static Scenario chosen(Scenario file, Choices choices) {
    Clients clients = file.clients();
    Clients chosen =
        Clients.of(
            or(choices.connections(), clients.keepsConnections() ? "keep" : "new"),
            or(choices.credentials(), clients.isMutual() ? "certificate" : "token"),
            or(choices.whenRefused(), clients.whenRefused().key()),
            clients.keys());
    return file.with(chosen)
        .with(
            new Scenario.Changes(
                whole(choices.nodes()),
                choices.rate().isEmpty()
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(Double.parseDouble(choices.rate())),
                whole(choices.seconds()),
                whole(choices.clients())));
  }

  private static String or(String chosen, String otherwise) {
    return chosen.isEmpty() ? otherwise : chosen;
  }

  private static OptionalInt whole(String text) {
    return text.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(text));
  }
}
