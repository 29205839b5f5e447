package org.sluiceca.load.scenario;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.TreeMap;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.plan.Goal;
import org.sluiceca.load.plan.Phase;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.plan.PlanFile;

/**
 * A scenario as a file of properties: the keys of a plan, and in addition those that begin with
 * {@code gatling.}. Every key that is not known is an error. docs/performance/GATLING.md lists
 * them.
 */
public final class ScenarioFile {

  private static final String PREFIX = "gatling.";

  private final Properties own = new Properties();
  private final Properties plan = new Properties();

  private ScenarioFile(Reader text) throws IOException {
    Properties all = new Properties();
    all.load(text);
    for (String key : all.stringPropertyNames()) {
      Properties where = key.startsWith(PREFIX) ? own : plan;
      where.setProperty(key, all.getProperty(key));
    }
  }

  /**
   * Reads a scenario; it is named after its file.
   *
   * @throws InputException if it cannot be run
   * @throws IOException if it cannot be read
   */
  public static Scenario read(Path file) throws IOException {
    String name = file.getFileName() + "";
    try (Reader text = Files.newBufferedReader(file)) {
      return parse(name.replaceFirst("\\.properties$", ""), text);
    } catch (IllegalArgumentException e) {
      throw new InputException(file + ": " + e.getMessage());
    } catch (InputException e) {
      throw new InputException(name + ": " + e.getMessage());
    }
  }

  /**
   * Reads a scenario from its text.
   *
   * @throws InputException if it cannot be run
   */
  public static Scenario parse(String name, Reader text) throws IOException {
    ScenarioFile file = new ScenarioFile(text);
    Scenario scenario = file.scenario(file.plan(name));
    if (!file.own.isEmpty()) {
      throw new InputException(
          "unknown keys: " + file.own.stringPropertyNames().stream().sorted().toList());
    }
    return scenario;
  }

  private Plan plan(String name) throws IOException {
    StringWriter rest = new StringWriter();
    plan.store(rest, null);
    return PlanFile.parse(name, new StringReader(rest.toString()));
  }

  private Scenario scenario(Plan plan) {
    String soak = take("soak-seconds", "");
    boolean isRenewal = isChosen("crowd", "enroll", "renew");
    List<Goal> knee = goals(take("knee", ""));
    checkKnee(plan, knee);
    return new Scenario(
        plan,
        Clients.of(
            take("connections", "keep"),
            take("credentials", "token"),
            take("when-refused", "leave"),
            keys(take("client-keys", ""))),
        operations(take("operations", "")),
        Limit.parseAll(take("limits", "")),
        knee,
        isRenewal,
        soak.isEmpty() ? OptionalInt.empty() : OptionalInt.of(whole("soak-seconds", soak)),
        whole("sample-seconds", take("sample-seconds", "2")));
  }

  /** Below the knee is a phase by itself, and above it one of more load. */
  private static void checkKnee(Plan plan, List<Goal> knee) {
    for (Goal goal : knee) {
      if (goal.isRelative()) {
        throw new InputException(PREFIX + "knee is of each phase by itself: " + goal);
      }
    }
    double before = 0;
    for (Phase phase : plan.phases().stream().filter(Scenario::isMeasured).toList()) {
      if (!knee.isEmpty() && phase.load() < before) {
        throw new InputException(PREFIX + "knee: phases rise, and " + phase.name() + " does not");
      }
      before = phase.load();
    }
  }

  private static List<Goal> goals(String text) {
    return Arrays.stream(text.split(";", -1))
        .filter(goal -> !goal.isBlank())
        .map(Goal::parse)
        .toList();
  }

  /** Reads {@code search 0.1, ocsp 0.5}. */
  private static Map<Kind, Double> operations(String text) {
    Map<Kind, Double> operations = new EnumMap<>(Kind.class);
    for (String operation : text.split(",", -1)) {
      if (operation.isBlank()) {
        continue;
      }
      String[] words = operation.strip().split("\\s+", -1);
      Kind kind =
          Kind.find(words[0])
              .filter(found -> !found.isIssuance() && words.length == 2)
              .orElseThrow(() -> new InputException("no operation and its load: " + operation));
      double load = number("operations", words[1]);
      if (!(load > 0 && load <= 10) || operations.put(kind, load) != null) {
        throw new InputException("a load above 0 and up to 10, once for each: " + operation);
      }
    }
    return operations;
  }

  /** Reads {@code a rsa-2048, b ec-p256}. */
  private static Map<String, String> keys(String text) {
    Map<String, String> keys = new TreeMap<>();
    for (String entry : text.split(",", -1)) {
      if (entry.isBlank()) {
        continue;
      }
      String[] words = entry.strip().split("\\s+", -1);
      if (words.length != 2 || keys.put(words[0], words[1]) != null) {
        throw new InputException("a requester and the kind of its clients' keys, once: " + entry);
      }
    }
    return keys;
  }

  private String take(String key, String fallback) {
    Object value = own.remove(PREFIX + key);
    return value == null ? fallback : value.toString().strip();
  }

  private boolean isChosen(String key, String no, String yes) {
    String word = take(key, no);
    if (!word.equals(no) && !word.equals(yes)) {
      throw new InputException(PREFIX + key + " is " + no + " or " + yes + ", not '" + word + "'");
    }
    return word.equals(yes);
  }

  private static int whole(String key, String text) {
    double number = number(key, text);
    if (number != Math.rint(number) || number < 1 || number > Integer.MAX_VALUE) {
      throw new InputException(PREFIX + key + " is a whole number above 0, not " + text);
    }
    return (int) number;
  }

  private static double number(String key, String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new InputException(PREFIX + key + " is a number, not '" + text + "'");
    }
  }
}
