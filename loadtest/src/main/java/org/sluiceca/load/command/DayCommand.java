package org.sluiceca.load.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.load.cli.Options;
import org.sluiceca.load.day.DayRun;
import org.sluiceca.load.day.report.DayGoals;
import org.sluiceca.load.day.report.DayReport;
import org.sluiceca.load.day.state.DayPlan;
import org.sluiceca.load.day.state.Folder;
import org.sluiceca.load.plan.HsmPlan;
import org.sluiceca.load.run.Machine;
import org.sluiceca.load.watch.HsmMaker;

/**
 * {@code ./sluice load day}: the options of {@link LoadCommand} with {@code --day CERTIFICATES}
 * instead of {@code --plan}, and {@code --marks --nodes --rate --hours --work --memory}. What the
 * user chose is kept in {@code --work}, and holds when the run is resumed; a machine's memory and
 * commit are each session's own.
 */
final class DayCommand {

  /** Names that no session's ports change. */
  private static final String PUBLIC_URL = "http://pki.day.example";

  /** As plans have it that say nothing else. */
  private static final int SERVERS = 8;

  private static final int QUEUE = 150;
  private static final String BUSY = "0x31";

  private final LoadCommand command;
  private final Options given;

  DayCommand(LoadCommand command, Options given) {
    this.command = command;
    this.given = given;
  }

  /** Returns the exit code: 0 if no goal was missed, over or not. */
  int run() throws IOException, GeneralSecurityException {
    Folder folder = new Folder(Files.createDirectories(given.path("--work")));
    DayPlan plan = plan(folder);
    Optional<HsmMaker> maker =
        plan.rate() == 0 ? Optional.empty() : Optional.of(command.maker(List.of(hsm(plan))));
    List<String> options = new ArrayList<>();
    maker.ifPresent(it -> options.addAll(it.upOptions()));
    options.addAll(List.of("--issuer-key", "ec-p256", "--public-url", PUBLIC_URL));
    options.addAll(List.of("--node-heap", given.text("--node-heap")));
    DayRun run = new DayRun(plan, command.nodes(Map.of(), options), maker, folder, System.err);
    long seconds = (long) (3600 * Double.parseDouble(given.text("--hours")));
    DayRun.Result result = run.run(Duration.ofSeconds(seconds));
    Path out = Files.createDirectories(given.path("--out"));
    System.out.println(DayReport.write(result, machine(), out));
    return DayGoals.of(result).missed().isEmpty() ? 0 : 1;
  }

  /** That of the first session, if there was one. */
  private DayPlan plan(Folder folder) throws IOException {
    Optional<DayPlan> kept = folder.plan();
    if (kept.isPresent()) {
      return kept.get();
    }
    DayPlan plan =
        DayPlan.of(
            Long.parseLong(given.text("--day")),
            given.text("--marks"),
            given.whole("--nodes"),
            given.findWhole("--rate").orElse(0));
    folder.keep(plan);
    return plan;
  }

  private static HsmPlan hsm(DayPlan plan) {
    return new HsmPlan(
        HsmPlan.ALONE,
        "netHSM2000",
        SERVERS,
        plan.rate(),
        QUEUE,
        BUSY,
        1,
        Map.of(),
        0,
        false,
        List.of());
  }

  private Map<String, String> machine() {
    Map<String, String> machine = new LinkedHashMap<>(Machine.describe());
    machine.put("commit", given.text("--commit", "unknown"));
    given.find("--memory").ifPresent(memory -> machine.put("memory", memory));
    machine.put("database", "PostgreSQL as ./sluice up starts it, with fsync");
    return machine;
  }
}
