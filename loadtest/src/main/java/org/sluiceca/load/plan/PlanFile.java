package org.sluiceca.load.plan;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.cli.Keys;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.plan.Client.WhenRefused;

/** A plan as a file of properties, whose keys docs/performance/LOAD.md lists. */
public final class PlanFile {

  /** No phase is longer: a run has to end. */
  static final double SECONDS_MAX = 600;

  private static final String GATLING = "gatling.";
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
    return Keys.read(file, PlanFile::plan);
  }

  /**
   * Reads a plan from its text.
   *
   * @throws InputException if it cannot be run
   */
  public static Plan parse(String name, Reader text) throws IOException {
    return Keys.parse(name, text, PlanFile::plan);
  }

  private static Plan plan(String name, Keys keys) {
    return new PlanFile(keys).plan(name);
  }

  private Plan plan(String name) {
    List<Goal> each = goals(EACH);
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
    // Keys of Gatling's say who sends, too.
    boolean isGatling =
        keys.isEither("driver", "gatling", "own") || (!keys.has("driver") && keys.hasAny(GATLING));
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
        client(isGatling),
        keys.number("queue-bound", "26"),
        wan(),
        keys.text("needs", ""),
        keys.text("page", ""),
        isGatling ? Optional.of(gatling()) : Optional.empty(),
        phases);
  }

  private Client client(boolean isGatling) {
    Client own =
        new Client(
            !keys.isEither("client.arrivals", "even", "poisson"),
            keys.whole("client.wait", "10"),
            keys.whole("client.connections", "4000"),
            keys.whole("client.seed", "1"),
            keys.text("client.key", Client.EC),
            isGatling ? pairs(GATLING + "client-keys") : Map.of(),
            true,
            false,
            WhenRefused.LEAVE);
    return isGatling
        ? own.with(
            !keys.isEither(GATLING + "connections", "new", "keep"),
            keys.isEither(GATLING + "credentials", "certificate", "token"),
            WhenRefused.of(keys.text(GATLING + "when-refused", "leave")))
        : own;
  }

  private GatlingPlan gatling() {
    String soak = GATLING + "soak-seconds";
    return new GatlingPlan(
        operations(),
        goals(GATLING + "limits"),
        goals(GATLING + "knee"),
        keys.isEither(GATLING + "crowd", "renew", "enroll"),
        keys.has(soak) ? OptionalInt.of(above(soak, "0")) : OptionalInt.empty(),
        above(GATLING + "sample-seconds", "2"));
  }

  private int above(String key, String otherwise) {
    int number = keys.whole(key, otherwise);
    if (number < 1) {
      throw new InputException(key + " is a whole number above 0, not " + number);
    }
    return number;
  }

  /** Reads {@code search 0.1, ocsp 0.5}. */
  private Map<Offer.Kind, Double> operations() {
    Map<Offer.Kind, Double> operations = new EnumMap<>(Offer.Kind.class);
    pairs(GATLING + "operations")
        .forEach(
            (name, load) -> {
              double times = Keys.parse(GATLING + "operations", load);
              Offer.Kind kind =
                  Offer.Kind.find(name)
                      .filter(found -> !found.isIssuance() && times > 0 && times <= 10)
                      .orElseThrow(
                          () ->
                              new InputException(
                                  "no operation and a load above 0 and up to 10: "
                                      + name
                                      + " "
                                      + load));
              operations.put(kind, times);
            });
    return operations;
  }

  /** Reads {@code a rsa-2048, b ec-p256}: two words between commas, the first of them once. */
  private Map<String, String> pairs(String key) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String pair : keys.parts(key, ",")) {
      String[] words = pair.split("\\s+", -1);
      if (words.length != 2 || pairs.put(words[0], words[1]) != null) {
        throw new InputException(key + ": two words, the first of them once, not " + pair);
      }
    }
    return pairs;
  }

  /** Reads goals with semicolons between them. */
  private List<Goal> goals(String key) {
    return keys.parts(key, ";").stream().map(Goal::parse).toList();
  }

  /** A plan without a round trip has no WAN; one that says only the rest has made a mistake. */
  private Optional<WanPlan> wan() {
    return keys.text("wan.rtt", "").isEmpty()
        ? Optional.empty()
        : Optional.of(
            new WanPlan(
                Keys.parse("wan.rtt", keys.text("wan.rtt")),
                Keys.parse("wan.mbit", keys.text("wan.mbit")),
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
          services.put(kind, Keys.parse(key, millis));
        }
      }
    }
    return services;
  }

  private Phase phase(String name, List<Goal> each) {
    String prefix = "phase." + name + ".";
    List<Goal> goals = new ArrayList<>(each);
    goals.addAll(goals(prefix + "goals"));
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

  static void range(String key, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw new InputException(Text.format("%s is %s to %s, not %s", key, least, most, value));
    }
  }
}
