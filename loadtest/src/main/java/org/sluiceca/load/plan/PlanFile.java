package org.sluiceca.load.plan;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.sluiceca.load.cli.InputException;

/**
 * A plan as a file of properties. Every key that is not known is an error: a misspelt goal would
 * otherwise always be met. docs/performance/LOAD.md lists the keys.
 */
public final class PlanFile {

  /** No phase is longer: a run has to end. */
  static final double SECONDS_MAX = 600;

  private static final String EACH = "goals.each";

  private final Properties properties = new Properties();
  private final Set<String> unread;

  private PlanFile(Reader text) throws IOException {
    properties.load(text);
    unread = new HashSet<>(properties.stringPropertyNames());
  }

  /**
   * Reads a plan; it is named after its file.
   *
   * @throws InputException if it cannot be run
   * @throws IOException if it cannot be read
   */
  public static Plan read(Path file) throws IOException {
    String name = file.getFileName() + "";
    try (Reader text = Files.newBufferedReader(file)) {
      return parse(name.replaceFirst("\\.properties$", ""), text);
    } catch (IllegalArgumentException e) {
      throw new InputException(file + ": " + e.getMessage());
    }
  }

  /**
   * Reads a plan from its text.
   *
   * @throws InputException if it cannot be run
   */
  public static Plan parse(String name, Reader text) throws IOException {
    PlanFile file = new PlanFile(text);
    Plan plan = file.plan(name);
    if (!file.unread.isEmpty()) {
      throw new InputException("unknown keys: " + file.unread.stream().sorted().toList());
    }
    return plan;
  }

  private Plan plan(String name) {
    List<Goal> each = goals(text(EACH, ""));
    List<Phase> phases = new ArrayList<>();
    double warmUp = number("warm-up.seconds", text("warm-up.seconds", "0"));
    List<Offer> gently = Offer.parseAll(text("warm-up.offer", "warm 0.5"));
    if (warmUp > 0) {
      phases.add(
          new Phase(Plan.WARM_UP, 0, warmUp, gently, 0, List.of(), List.of(), List.of(), false));
    }
    for (String phase : text("phases").split("\\s+", -1)) {
      phases.add(phase(phase, each));
    }
    Client client =
        new Client(
            !isEither("client.arrivals", "even", "poisson"),
            whole("client.wait", "10"),
            whole("client.connections", "4000"),
            whole("client.seed", "1"),
            text("client.key", Client.EC));
    return new Plan(
        name,
        text("title", name),
        new NodePlan(
            whole("nodes", "1"),
            text("issuer-key", "ec-p256"),
            NodePlan.Issuer.parseAll(text("issuers", "")),
            isEither("node.hsm-isolated", "yes", "no"),
            text("node.java-options", ""),
            NodePlan.parseSettings(text("node.settings", ""))),
        hsms(),
        client,
        number("queue-bound", text("queue-bound", "26")),
        wan(),
        text("needs", ""),
        phases);
  }

  /** A plan without a round trip has no WAN; one that says only the rest has made a mistake. */
  private Optional<WanPlan> wan() {
    return text("wan.rtt", "").isEmpty()
        ? Optional.empty()
        : Optional.of(
            new WanPlan(
                number("wan.rtt", text("wan.rtt")),
                number("wan.mbit", text("wan.mbit")),
                number("wan.queue", text("wan.queue", "200"))));
  }

  /** What is said of an HSM by its name goes before what is said of all. */
  private List<HsmPlan> hsms() {
    List<String> names = names("hsms");
    return names.isEmpty()
        ? List.of(hsm(HsmPlan.ALONE, "hsm.", false, List.of()))
        : names.stream().map(name -> oneOfSeveral(name, "hsm." + name + ".")).toList();
  }

  private HsmPlan oneOfSeveral(String name, String prefix) {
    return hsm(
        name,
        prefix,
        isEither(prefix + "preference", "backup", "preferred"),
        names(prefix + "issuers"));
  }

  private HsmPlan hsm(String name, String prefix, boolean isBackup, List<String> issuers) {
    UnaryOperator<String> own =
        key -> {
          // Said of all, it may be of no use to any.
          unread.remove("hsm." + key);
          return properties.containsKey(prefix + key) ? prefix + key : "hsm." + key;
        };
    return new HsmPlan(
        name,
        text(own.apply("profile"), "netHSM2000"),
        whole(own.apply("servers"), "8"),
        number(own.apply("rate"), text(own.apply("rate"), "200")),
        whole(own.apply("queue"), "150"),
        text(own.apply("busy"), "0x31"),
        number(own.apply("rtt"), text(own.apply("rtt"), "1")),
        services(prefix),
        whole(own.apply("ec-servers"), "0"),
        isBackup,
        issuers);
  }

  private Map<String, Double> services(String prefix) {
    Map<String, Double> services = new HashMap<>();
    for (String kind : HsmPlan.KINDS) {
      for (String key : List.of("hsm.service." + kind, prefix + "service." + kind)) {
        String millis = text(key, "");
        if (!millis.isEmpty()) {
          services.put(kind, number(key, millis));
        }
      }
    }
    return services;
  }

  private List<String> names(String key) {
    String all = text(key, "");
    return all.isEmpty() ? List.of() : List.of(all.split("\\s+", -1));
  }

  private Phase phase(String name, List<Goal> each) {
    String prefix = "phase." + name + ".";
    List<Goal> goals = new ArrayList<>(each);
    goals.addAll(goals(text(prefix + "goals", "")));
    String offer = text(prefix + "offer", "");
    return new Phase(
        name,
        number(prefix + "settle", text(prefix + "settle", text("settle", "5"))),
        number(prefix + "seconds", text(prefix + "seconds", text("seconds", "15"))),
        offer.isEmpty() ? List.of() : Offer.parseAll(offer),
        number(prefix + "crowd", text(prefix + "crowd", "0")),
        names(prefix + "hsms"),
        FaultEvent.parseAll(text(prefix + "events", "")),
        goals,
        isEither(prefix + "windows", "fixed", "shared"));
  }

  private static List<Goal> goals(String text) {
    return Arrays.stream(text.split(";", -1))
        .filter(goal -> !goal.isBlank())
        .map(Goal::parse)
        .toList();
  }

  private String text(String key) {
    String value = text(key, "");
    if (value.isEmpty()) {
      throw new InputException("no " + key);
    }
    return value;
  }

  private String text(String key, String fallback) {
    unread.remove(key);
    return properties.getProperty(key, fallback).strip();
  }

  /** Returns whether a key says {@code yes}; a missing key says {@code otherwise}. */
  private boolean isEither(String key, String yes, String otherwise) {
    String value = text(key, otherwise);
    if (!value.equals(yes) && !value.equals(otherwise)) {
      throw new InputException(key + " is " + otherwise + " or " + yes);
    }
    return value.equals(yes);
  }

  private int whole(String key, String fallback) {
    double number = number(key, text(key, fallback));
    if (number != Math.rint(number)) {
      throw new InputException(key + " is a whole number, not " + number);
    }
    return (int) number;
  }

  static double number(String key, String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new InputException(key + " is a number, not '" + text + "'");
    }
  }

  static void range(String key, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw new InputException(
          String.format(Locale.ROOT, "%s is %s to %s, not %s", key, least, most, value));
    }
  }
}
