package org.sluiceca.load.sizing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What {@code ./sluice plan} starts. Options, each with a value: {@code --demand FILE}, {@code
 * --machine FILE}, {@code --calibration FILE} or {@code --hsm-rate ec-p256=400,…} with {@code
 * --hsm-engines N}, {@code --cores N}, {@code --database-cores N}, {@code --format text|json}. Exit
 * codes: 0 planned, 2 not with what was given.
 */
final class SizingCommand {

  private static final Set<String> OPTIONS =
      Set.of(
          "--demand",
          "--machine",
          "--calibration",
          "--hsm-rate",
          "--hsm-engines",
          "--cores",
          "--database-cores",
          "--format");

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private SizingCommand() {}

  public static void main(String[] arguments) {
    try {
      System.out.print(run(arguments));
    } catch (SizingException e) {
      System.err.println("sluice: " + e.getMessage());
      System.exit(2);
    }
  }

  /** Returns what is printed. */
  static String run(String... arguments) {
    Map<String, String> options = options(arguments);
    Demand demand = SizingFiles.demand(Path.of(options.getOrDefault("--demand", "")));
    Machine machine = SizingFiles.machine(Path.of(options.getOrDefault("--machine", "")));
    Hsm hsm = hsm(options);
    Sizing.Targets targets =
        new Sizing.Targets(
            Sizing.Targets.DEFAULT.hsm(),
            Sizing.Targets.DEFAULT.processors(),
            number(options, "--cores", Sizing.Targets.DEFAULT.coresPerNode()),
            number(options, "--database-cores", Sizing.Targets.DEFAULT.databaseCores()));
    Sized sized = Sizing.of(demand, machine, hsm, targets);
    if (!options.getOrDefault("--format", "text").equals("json")) {
      return SizingText.of(demand, machine, hsm, targets, sized);
    }
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("demand", demand);
    all.put("machine", machine);
    all.put("hsm", hsm);
    all.put("targets", targets);
    all.put("plan", sized);
    return JSON.writeValueAsString(all) + "\n";
  }

  private static Map<String, String> options(String... arguments) {
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i < arguments.length; i += 2) {
      if (!OPTIONS.contains(arguments[i]) || i + 1 == arguments.length) {
        throw new SizingException("no option " + arguments[i] + " with a value");
      }
      options.put(arguments[i], arguments[i + 1]);
    }
    return options;
  }

  private static Hsm hsm(Map<String, String> options) {
    String calibration = options.get("--calibration");
    if (calibration != null) {
      try {
        return Calibration.read(Files.readString(Path.of(calibration)));
      } catch (IOException e) {
        throw new SizingException("cannot read " + calibration);
      }
    }
    String rates = options.get("--hsm-rate");
    if (rates == null) {
      throw new SizingException(
          "what the HSM can is not given: --calibration FILE, or --hsm-rate ec-p256=400,…");
    }
    Map<KeyKind, Double> perSecond = new EnumMap<>(KeyKind.class);
    for (String rate : rates.split(",", -1)) {
      String[] parts = rate.split("=", 2);
      try {
        perSecond.put(
            KeyKind.of(parts[0].strip()), Double.parseDouble(parts[parts.length - 1].strip()));
      } catch (NumberFormatException e) {
        throw new SizingException("--hsm-rate is KIND=NUMBER,…, not '" + rate + "'");
      }
    }
    return new Hsm("the HSM", perSecond, number(options, "--hsm-engines", 1));
  }

  private static int number(Map<String, String> options, String name, int otherwise) {
    String text = options.get(name);
    try {
      return text == null ? otherwise : Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new SizingException(name + " is to be a number, not '" + text + "'");
    }
  }
}
