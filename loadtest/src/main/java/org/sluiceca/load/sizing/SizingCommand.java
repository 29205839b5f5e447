package org.sluiceca.load.sizing;

import java.util.Locale;
import java.util.Optional;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.cli.Options;
import org.sluiceca.load.cli.Program;
import org.sluiceca.load.page.Json;
import org.sluiceca.load.sizing.given.Demand;
import org.sluiceca.load.sizing.given.GivenFiles;
import org.sluiceca.load.sizing.given.Hsm;
import org.sluiceca.load.sizing.given.HsmOptions;
import org.sluiceca.load.sizing.given.Machine;

/**
 * What {@code ./sluice plan} starts. Options, each with a value: {@code --demand FILE}, {@code
 * --machine FILE}, the HSM as {@link HsmOptions#hsm} reads it, {@code --hsms N}, {@code --cores N},
 * {@code --database-cores N}, {@code --table yes} for the sizing table in place of a plan, {@code
 * --format text|json}. Exit codes: 0 planned, 1 planned and what was given is not enough, 2 not
 * with what was given.
 */
final class SizingCommand {

  private static final String OPTIONS =
      "--demand --machine --calibration --hsm-rate --hsm-engines --hsm --hsm-models --hsms --cores --database-cores --table --format";

  /**
   * What came of it.
   *
   * @param printed all of it
   * @param isEnough whether what was given is enough
   */
  record Outcome(String printed, boolean isEnough) {}

  private record Planned(
      Demand demand, Machine machine, Hsm hsm, Sizing.Targets targets, Sized plan) {}

  private record Tabled(Machine machine, Optional<Hsm> hsm, SizingTable table) {}

  private SizingCommand() {}

  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    Program.start(
        options -> {
          Outcome outcome = run(options);
          System.out.print(outcome.printed());
          return outcome.isEnough() ? 0 : 1;
        },
        OPTIONS,
        arguments);
  }

  static Outcome run(String... arguments) {
    return run(Options.parse(OPTIONS, arguments));
  }

  private static Outcome run(Options options) {
    Machine machine = GivenFiles.machine(options.path("--machine"));
    return options.text("--table", "no").equals("yes")
        ? table(machine, options)
        : plan(machine, options);
  }

  private static Outcome table(Machine machine, Options options) {
    Optional<Hsm> hsm = HsmOptions.hsm(options);
    SizingTable table = SizingTable.of(machine, hsm);
    return new Outcome(
        isJson(options) ? Json.text(new Tabled(machine, hsm, table)) : TableText.of(table, hsm),
        true);
  }

  private static Outcome plan(Machine machine, Options options) {
    Demand demand = GivenFiles.demand(options.path("--demand"));
    Hsm hsm =
        HsmOptions.hsm(options)
            .orElseThrow(
                () ->
                    new InputException(
                        "what the HSM can is not given: --calibration FILE, --hsm-rate"
                            + " ec-p256=400,… or --hsm MODEL"));
    Sizing.Targets targets =
        new Sizing.Targets(
            Sizing.Targets.DEFAULT.hsm(),
            Sizing.Targets.DEFAULT.processors(),
            whole(options, "--cores", Sizing.Targets.DEFAULT.coresPerNode()),
            whole(options, "--database-cores", Sizing.Targets.DEFAULT.databaseCores()),
            whole(options, "--hsms", Sizing.Targets.DEFAULT.hsmsGiven()));
    Sized sized = Sizing.of(demand, machine, hsm, targets);
    return new Outcome(
        isJson(options)
            ? Json.text(new Planned(demand, machine, hsm, targets, sized))
            : SizingText.of(demand, machine, hsm, targets, sized),
        sized.lacks().isEmpty());
  }

  private static int whole(Options options, String name, int otherwise) {
    return options.findWhole(name).orElse(otherwise);
  }

  private static boolean isJson(Options options) {
    return options.text("--format", "text").equals("json");
  }
}
