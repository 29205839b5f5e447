package org.sluiceca.load.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.cli.Options;
import org.sluiceca.load.cli.Program;
import org.sluiceca.load.orders.OrdersResult;
import org.sluiceca.load.orders.OrdersRun;
import org.sluiceca.load.page.Goals;
import org.sluiceca.load.page.Page;
import org.sluiceca.load.plan.HsmPlan;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.plan.PlanFile;
import org.sluiceca.load.renewals.HerdResult;
import org.sluiceca.load.renewals.HerdRun;
import org.sluiceca.load.renewals.HerdTerms;
import org.sluiceca.load.report.PlanPage;
import org.sluiceca.load.report.Results;
import org.sluiceca.load.report.Summary;
import org.sluiceca.load.run.Machine;
import org.sluiceca.load.run.PlanRun;
import org.sluiceca.load.scenario.run.ScenarioRun;
import org.sluiceca.load.scenario.wire.Parent;
import org.sluiceca.load.soak.SoakResult;
import org.sluiceca.load.soak.SoakRun;
import org.sluiceca.load.soak.SoakTerms;
import org.sluiceca.load.watch.HsmMaker;
import org.sluiceca.load.watch.TrialNodes;

/**
 * The program that {@code ./sluice load} starts once the machine has all it needs: {@code --plan}
 * says what it plays; with {@code --orders} this number of orders is sent instead of the plan's
 * phases, with {@code --soak} status is watched for this number of seconds, with {@code --herd}
 * this number of certificates of {@code --life} seconds is renewed; {@code --wan-tool} if this
 * process has a network namespace of its own. Where Gatling sends, {@code --gatling} is its class
 * path, {@code --work} keeps what a resumed run goes on with, and {@code --csr-pool} has requests;
 * with {@code --day} a run lasts for sessions, see {@link DayCommand}.
 */
final class LoadCommand {

  /** The three ranges of ports are so far apart: more than the nodes of any plan. */
  private static final int PORTS_APART = 100;

  private static final String OPTIONS =
      "--plan --day --orders --soak --out --data --launcher --profiles --module --softhsm --hsm-tool"
          + " --hsm-folder --pin-file --node-heap --first-port --commit --wan-tool --herd --life"
          + " --work --csr-pool --gatling --marks --hours --memory "
          + Choices.NAMES;

  private final Options options;

  private LoadCommand(Options options) {
    this.options = options;
  }

  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    Program.start(options -> new LoadCommand(options).run(), OPTIONS, arguments);
  }

  private int run() throws IOException, GeneralSecurityException {
    if (options.find("--day").isPresent()) {
      return new DayCommand(this, options).run();
    }
    Plan file = PlanFile.read(options.path("--plan"));
    if (file.gatling().isPresent()) {
      return end(gatling(file));
    }
    Plan plan = new Choices(options, Instant.now()).of(file);
    if (!plan.needs().isEmpty()) {
      System.err.println("sluice: this version cannot run it: " + plan.needs());
      return 1;
    }
    if (!plan.page().isEmpty()
        && !Files.isReadable(options.path("--plan").resolveSibling(plan.page()))) {
      throw new InputException("there is no page " + plan.page() + " next to the plan");
    }
    HsmMaker maker = maker(plan);
    if (options.find("--orders").isPresent()) {
      return orders(plan, maker);
    }
    if (options.find("--soak").isPresent()) {
      return soak(plan, maker);
    }
    if (options.find("--herd").isPresent()) {
      return herd(plan, maker);
    }
    PlanRun.Place place =
        new PlanRun.Place(
            options.text("--commit", "unknown"), options.find("--wan-tool").map(Path::of));
    Results results = new PlanRun(plan, nodes(plan, maker), maker, place, System.err).run();
    return end(results);
  }

  private Results gatling(Plan file) throws IOException, GeneralSecurityException {
    // Who resumes a run whose launcher was killed must not meet the one that was left alone.
    Parent.watch(() -> System.exit(1));
    Path work = options.path("--work");
    Choices choices = Choices.kept(options, work);
    Plan plan = choices.of(file);
    HsmMaker maker = maker(plan);
    Path reports = Files.createDirectories(options.path("--out")).resolve("gatling");
    ScenarioRun.Parts parts =
        new ScenarioRun.Parts(work, options.path("--csr-pool"), options.text("--gatling"), reports);
    return Results.of(
        new ScenarioRun(plan, nodes(plan, maker), maker, parts, System.err).run(),
        choices.began(),
        Machine.describe(Map.of("commit", options.text("--commit", "unknown"))));
  }

  /** Writes what came of a run and prints its page; returns the exit code. */
  private int end(Results results) throws IOException {
    Path out = Files.createDirectories(options.path("--out"));
    Path plan = options.path("--plan");
    Path ignored =
        Files.copy(plan, out.resolve("plan.properties"), StandardCopyOption.REPLACE_EXISTING);
    if (!results.plan().page().isEmpty()) {
      PlanPage.write(results, plan.resolveSibling(results.plan().page()), out);
    }
    System.out.print(Summary.write(results, out));
    return results.missed() == 0 ? 0 : 1;
  }

  private int orders(Plan plan, HsmMaker maker) throws IOException, GeneralSecurityException {
    int orders = options.whole("--orders");
    OrdersResult result = new OrdersRun(plan, nodes(plan, maker), maker, orders, System.err).run();
    return end(result.page(), result.goals());
  }

  private int soak(Plan plan, HsmMaker maker) throws IOException, GeneralSecurityException {
    SoakTerms terms =
        new SoakTerms(
            options.whole("--soak"),
            plan.phases().getFirst().offers().getFirst().load() * plan.capacity());
    SoakResult result =
        new SoakRun(plan, nodes(plan, maker, SoakTerms.environment()), maker, terms, System.err)
            .run();
    return end(result.page(), result.goals());
  }

  private int herd(Plan plan, HsmMaker maker) throws IOException, GeneralSecurityException {
    HerdTerms terms =
        new HerdTerms(
            options.whole("--herd"),
            Duration.ofSeconds(options.whole("--life")),
            plan.nodes().count());
    Path profiles = terms.profiles(options.path("--profiles"), options.path("--hsm-folder"));
    TrialNodes trial = nodes(plan, maker, Map.of("SLUICE_PROFILES", profiles.toString()));
    HerdResult result = new HerdRun(plan, trial, maker, terms, System.err).run();
    return end(result.page(), result.goals());
  }

  /** Writes and prints a page; returns the exit code. */
  private int end(Page page, Goals goals) throws IOException {
    Files.writeString(
        Files.createDirectories(options.path("--out")).resolve("SUMMARY.md"), page.markdown());
    System.out.print(page.text());
    return goals.missed().isEmpty() ? 0 : 1;
  }

  private HsmMaker maker(Plan plan) {
    return maker(plan.hsms());
  }

  HsmMaker maker(List<HsmPlan> hsms) {
    HsmMaker.Parts parts =
        new HsmMaker.Parts(
            options.path("--hsm-folder"),
            options.path("--module"),
            options.path("--softhsm"),
            options.path("--hsm-tool"),
            options.path("--pin-file"));
    return new HsmMaker(parts, hsms);
  }

  private TrialNodes nodes(Plan plan, HsmMaker maker) throws IOException {
    return nodes(plan, maker, Map.of());
  }

  private TrialNodes nodes(Plan plan, HsmMaker maker, Map<String, String> settings)
      throws IOException {
    List<String> up = new ArrayList<>(maker.upOptions());
    up.addAll(List.of("--issuer-key", plan.nodes().issuerKey()));
    up.addAll(List.of("--hsm-isolated", plan.nodes().isIsolated() ? "yes" : "no"));
    up.addAll(List.of("--node-heap", options.text("--node-heap")));
    if (options.find("--wan-tool").isPresent()) {
      // Packets come by another interface, in a namespace that no other process is in.
      up.addAll(List.of("--bind", "0.0.0.0"));
    }
    Map<String, String> environment = new HashMap<>(settings);
    environment.putAll(plan.nodes().settings());
    if (!plan.nodes().javaOptions().isEmpty()) {
      environment.put("JDK_JAVA_OPTIONS", plan.nodes().javaOptions());
    }
    if (!plan.nodes().issuers().isEmpty()) {
      up.addAll(List.of("--more-issuers", IssuerProfiles.upOption(plan.nodes().issuers())));
      Path profiles =
          IssuerProfiles.write(
              options.path("--profiles"), options.path("--hsm-folder"), plan.nodes().issuers());
      environment.put("SLUICE_PROFILES", profiles.toString());
    }
    return nodes(environment, up);
  }

  /** Nodes of the trial with these settings and options of {@code up}. */
  TrialNodes nodes(Map<String, String> environment, List<String> up) {
    int first = options.whole("--first-port");
    return new TrialNodes(
        options.path("--launcher"),
        options.path("--data"),
        environment,
        new TrialNodes.Ports(first, first + PORTS_APART, first + 2 * PORTS_APART),
        up);
  }
}
