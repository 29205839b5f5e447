package org.sluiceca.load.plan;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.page.Text;

/** A plan as a file of properties, whose keys docs/performance/LOAD.md lists. */
public final class PlanFile {

  /** No phase is longer: a run has to end. */
  static final double SECONDS_MAX = 600;

  /** Says who sends: this program or Gatling. */
  public static final String DRIVER = "driver";

  private static final String EACH = "goals.each";

  private final Keys keys;

  private PlanFile(Keys keys) {
    this.keys = keys;
  }

  /**
   * Reads a plan; it is named after its file.
   *
   * @throws InputException if it cannot be run
   * @throws IOException if it cannot be read
   */
  public static Plan read(Path file) throws IOException {
    return Keys.read(file, PlanFile::own);
  }

  /**
   * Reads a plan from its text.
   *
   * @throws InputException if it cannot be run
   */
  public static Plan parse(String name, Reader text) throws IOException {
    return Keys.parse(name, text, PlanFile::own);
  }

  private static Plan own(String name, Keys keys) {
    if (keys.isEither(DRIVER, "gatling", "own")) {
      throw new InputException(name + " has Gatling as its client");
    }
    return plan(name, keys);
  }

  /** Reads a plan from the keys that it knows. */
  public static Plan plan(String name, Keys keys) {
    return new PlanFile(keys).plan(name);
  }

  private Plan plan(String name) {
    List<Goal> each = keys.goals(EACH);
    List<Phase> phases = new ArrayList<>();
    double warmUp = keys.number("warm-up.seconds", "0");
    List<Offer> gently = Offer.parseAll(keys.text("warm-up.offer", "warm 0.5"));
    if (warmUp > 0) {
      phases.add(
          new Phase(Plan.WARM_UP, 0, warmUp, gently, 0, List.of(), List.of(), List.of(), false));
    }
    for (String phase : keys.text("phases").split("\\s+", -1)) {
      phases.add(phase(phase, each));
    }
    Client client =
        new Client(
            !keys.isEither("client.arrivals", "even", "poisson"),
            keys.whole("client.wait", "10"),
            keys.whole("client.connections", "4000"),
            keys.whole("client.seed", "1"),
            keys.text("client.key", Client.EC));
    return new Plan(
        name,
        keys.text("title", name),
        new NodePlan(
            keys.whole("nodes", "1"),
            keys.text("issuer-key", "ec-p256"),
            NodePlan.Issuer.parseAll(keys.text("issuers", "")),
            keys.isEither("node.hsm-isolated", "yes", "no"),
            keys.text("node.java-options", ""),
            NodePlan.parseSettings(keys.text("node.settings", ""))),
        hsms(),
        client,
        keys.number("queue-bound", "26"),
        wan(),
        keys.text("needs", ""),
        keys.text("page", ""),
        phases);
  }

  /** A plan without a round trip has no WAN; one that says only the rest has made a mistake. */
  private Optional<WanPlan> wan() {
    return keys.text("wan.rtt", "").isEmpty()
        ? Optional.empty()
        : Optional.of(
            new WanPlan(
                number("wan.rtt", keys.text("wan.rtt")),
                number("wan.mbit", keys.text("wan.mbit")),
                keys.number("wan.queue", "200")));
  }

  /** What is said of an HSM by its name goes before what is said of all. */
  private List<HsmPlan> hsms() {
    List<String> names = keys.words("hsms");
    return names.isEmpty()
        ? List.of(hsm(HsmPlan.ALONE, "hsm.", false, List.of()))
        : names.stream().map(name -> oneOfSeveral(name, "hsm." + name + ".")).toList();
  }

  private HsmPlan oneOfSeveral(String name, String prefix) {
    return hsm(
        name,
        prefix,
        keys.isEither(prefix + "preference", "backup", "preferred"),
        keys.words(prefix + "issuers"));
  }

  private HsmPlan hsm(String name, String prefix, boolean isBackup, List<String> issuers) {
    UnaryOperator<String> own =
        key -> {
          // Said of all, it may be of no use to any.
          keys.ignore("hsm." + key);
          return keys.has(prefix + key) ? prefix + key : "hsm." + key;
        };
    return new HsmPlan(
        name,
        keys.text(own.apply("profile"), "netHSM2000"),
        keys.whole(own.apply("servers"), "8"),
        keys.number(own.apply("rate"), "200"),
        keys.whole(own.apply("queue"), "150"),
        keys.text(own.apply("busy"), "0x31"),
        keys.number(own.apply("rtt"), "1"),
        services(prefix),
        keys.whole(own.apply("ec-servers"), "0"),
        isBackup,
        issuers);
  }

  private Map<String, Double> services(String prefix) {
    Map<String, Double> services = new HashMap<>();
    for (String kind : HsmPlan.KINDS) {
      for (String key : List.of("hsm.service." + kind, prefix + "service." + kind)) {
        String millis = keys.text(key, "");
        if (!millis.isEmpty()) {
          services.put(kind, number(key, millis));
        }
      }
    }
    return services;
  }

  private Phase phase(String name, List<Goal> each) {
    String prefix = "phase." + name + ".";
    List<Goal> goals = new ArrayList<>(each);
    goals.addAll(keys.goals(prefix + "goals"));
    String offer = keys.text(prefix + "offer", "");
    return new Phase(
        name,
        keys.number(prefix + "settle", keys.text("settle", "5")),
        keys.number(prefix + "seconds", keys.text("seconds", "15")),
        offer.isEmpty() ? List.of() : Offer.parseAll(offer),
        keys.number(prefix + "crowd", "0"),
        keys.words(prefix + "hsms"),
        FaultEvent.parseAll(keys.text(prefix + "events", "")),
        goals,
        keys.isEither(prefix + "windows", "fixed", "shared"));
  }

  /** Reads the number that a key says. */
  public static double number(String key, String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new InputException(key + " is a number, not '" + text + "'");
    }
  }

  static void range(String key, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw new InputException(Text.format("%s is %s to %s, not %s", key, least, most, value));
    }
  }
}
