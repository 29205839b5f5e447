package org.sluiceca.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.sluiceca.load.adcs.ScalePage;
import org.sluiceca.load.orders.OrdersResult;
import org.sluiceca.load.orders.OrdersRun;
import org.sluiceca.load.page.Page;
import org.sluiceca.load.plan.HsmPlan;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.plan.PlanException;
import org.sluiceca.load.plan.PlanFile;
import org.sluiceca.load.report.Plots;
import org.sluiceca.load.report.Results;
import org.sluiceca.load.report.ResultsJson;
import org.sluiceca.load.report.Summary;
import org.sluiceca.load.run.PlanRun;
import org.sluiceca.load.soak.SoakResult;
import org.sluiceca.load.soak.SoakRun;
import org.sluiceca.load.soak.SoakTerms;
import org.sluiceca.load.watch.HsmMaker;
import org.sluiceca.load.watch.TrialNodes;
import org.sluiceca.load.watch.WatchException;

/**
 * The program that {@code ./sluice load} starts once the machine has all it needs. Each option has
 * a value: {@code --plan --out --data --launcher --profiles --module --softhsm --hsm-tool
 * --hsm-folder --pin-file --node-heap --first-port}, and of the user's own {@code --nodes --rate
 * --seconds --crowd}; {@code --commit} of the sources; {@code --wan-tool} if this process has a
 * network namespace of its own; with {@code --scenario} Gatling sends, see {@link ScenarioCommand};
 * with {@code --day} a run that lasts for sessions, see {@link DayCommand}; with {@code --orders}
 * this number of orders is sent instead of the plan's phases; with {@code --soak} status is watched
 * for this number of seconds. Exit codes: 0: all goals met; 1: a goal missed or the run failed; 2:
 * invalid plan.
 */
final class LoadCommand {

  /** The three ranges of ports are so far apart: more than the nodes of any plan. */
  private static final int PORTS_APART = 100;

  private final Map<String, String> options;

  private LoadCommand(Map<String, String> options) {
    this.options = Map.copyOf(options);
  }

  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i + 1 < arguments.length; i += 2) {
      options.put(arguments[i], arguments[i + 1]);
    }
    System.exit(exitCode(new LoadCommand(options)));
  }

  private static int exitCode(LoadCommand command) {
    try {
      return command.run();
    } catch (PlanException e) {
      System.err.println("sluice: " + e.getMessage());
      return 2;
    } catch (WatchException | IOException | GeneralSecurityException e) {
      System.err.println("sluice: " + e.getMessage());
      for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
        System.err.println("sluice:   because " + cause);
      }
      return 1;
    }
  }

  private int run() throws IOException, GeneralSecurityException {
    if (options.containsKey("--day")) {
      return new DayCommand(this).run();
    }
    if (options.containsKey("--scenario")) {
      return new ScenarioCommand(this).run();
    }
    Plan plan = PlanFile.read(path("--plan")).with(changes());
    if (!plan.needs().isEmpty()) {
      System.err.println("sluice: this version cannot run it: " + plan.needs());
      return 1;
    }
    HsmMaker maker = maker(plan);
    if (options.containsKey("--orders")) {
      return orders(plan, maker);
    }
    if (options.containsKey("--soak")) {
      return soak(plan, maker);
    }
    PlanRun.Place place =
        new PlanRun.Place(
            options.getOrDefault("--commit", "unknown"),
            Optional.ofNullable(options.get("--wan-tool")).map(Path::of));
    Results results = new PlanRun(plan, nodes(plan, maker), maker, place, System.err).run();
    Path out = Files.createDirectories(path("--out"));
    Files.writeString(out.resolve("results.json"), ResultsJson.of(results));
    Path ignored =
        Files.copy(
            path("--plan"), out.resolve("plan.properties"), StandardCopyOption.REPLACE_EXISTING);
    List<String> plots = new Plots(results, out).draw();
    scalePage(results, out, plots);
    return end(new Summary(results).page(plots), results.missed());
  }

  private static void scalePage(Results results, Path out, List<String> plots) throws IOException {
    Optional<ScalePage> page = ScalePage.of(results);
    if (page.isPresent()) {
      List<String> pictures = new ArrayList<>(plots);
      pictures.add(page.get().draw(out));
      Files.writeString(out.resolve("ADCS-2009.md"), page.get().markdown(pictures));
    }
  }

  private int orders(Plan plan, HsmMaker maker) throws IOException, GeneralSecurityException {
    int orders = Integer.parseInt(option("--orders"));
    OrdersResult result =
        new OrdersRun(plan, nodes(plan, maker), maker, orders, System.err).run(PlanRun::tls);
    return end(result.page(), result.missed());
  }

  private int soak(Plan plan, HsmMaker maker) throws IOException, GeneralSecurityException {
    SoakTerms terms =
        new SoakTerms(
            Integer.parseInt(option("--soak")),
            plan.phases().getFirst().offers().getFirst().load() * plan.capacity());
    SoakResult result =
        new SoakRun(plan, nodes(plan, maker, SoakTerms.environment()), maker, terms, System.err)
            .run(PlanRun::tls);
    return end(result.page(), result.missed());
  }

  /** Writes and prints a page; returns the exit code. */
  private int end(Page page, long missed) throws IOException {
    Files.writeString(
        Files.createDirectories(path("--out")).resolve("SUMMARY.md"), page.markdown());
    System.out.print(page.text());
    return missed == 0 ? 0 : 1;
  }

  HsmMaker maker(Plan plan) {
    return maker(plan.hsms());
  }

  HsmMaker maker(List<HsmPlan> hsms) {
    HsmMaker.Parts parts =
        new HsmMaker.Parts(
            path("--hsm-folder"),
            path("--module"),
            path("--softhsm"),
            path("--hsm-tool"),
            path("--pin-file"));
    return new HsmMaker(parts, hsms);
  }

  TrialNodes nodes(Plan plan, HsmMaker maker) throws IOException {
    return nodes(plan, maker, Map.of());
  }

  private TrialNodes nodes(Plan plan, HsmMaker maker, Map<String, String> settings)
      throws IOException {
    List<String> options = new ArrayList<>(maker.upOptions());
    options.addAll(List.of("--issuer-key", plan.nodes().issuerKey()));
    options.addAll(List.of("--hsm-isolated", plan.nodes().isIsolated() ? "yes" : "no"));
    options.addAll(List.of("--node-heap", option("--node-heap")));
    if (this.options.containsKey("--wan-tool")) {
      // Packets come by another interface, in a namespace that no other process is in.
      options.addAll(List.of("--bind", "0.0.0.0"));
    }
    Map<String, String> environment = new HashMap<>(settings);
    environment.putAll(plan.nodes().settings());
    if (!plan.nodes().javaOptions().isEmpty()) {
      environment.put("JDK_JAVA_OPTIONS", plan.nodes().javaOptions());
    }
    if (!plan.nodes().issuers().isEmpty()) {
      options.addAll(List.of("--more-issuers", IssuerProfiles.upOption(plan.nodes().issuers())));
      Path profiles =
          IssuerProfiles.write(path("--profiles"), path("--hsm-folder"), plan.nodes().issuers());
      environment.put("SLUICE_PROFILES", profiles.toString());
    }
    return nodes(environment, options);
  }

  /** Nodes of the trial with these settings and options of {@code up}. */
  TrialNodes nodes(Map<String, String> environment, List<String> options) {
    int first = Integer.parseInt(option("--first-port"));
    return new TrialNodes(
        path("--launcher"),
        path("--data"),
        environment,
        new TrialNodes.Ports(first, first + PORTS_APART, first + 2 * PORTS_APART),
        options);
  }

  private Plan.Changes changes() {
    OptionalDouble nodes = number("--nodes");
    return new Plan.Changes(
        nodes.isPresent() ? OptionalInt.of((int) nodes.getAsDouble()) : OptionalInt.empty(),
        number("--rate"),
        number("--seconds"),
        number("--crowd"));
  }

  private OptionalDouble number(String name) {
    String text = options.get(name);
    return text == null ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(text));
  }

  Path path(String name) {
    return Path.of(option(name));
  }

  String option(String name) {
    return find(name).orElseThrow(() -> new WatchException("no " + name));
  }

  Optional<String> find(String name) {
    return Optional.ofNullable(options.get(name));
  }
}
