package org.sluiceca.load.gatling;

import static io.gatling.javaapi.core.CoreDsl.nothingFor;
import static io.gatling.javaapi.core.CoreDsl.rampUsers;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;

import io.gatling.javaapi.core.OpenInjectionStep;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.sluiceca.load.scenario.wire.Arrivals;
import org.sluiceca.load.scenario.wire.Parent;
import org.sluiceca.load.scenario.wire.Population;
import org.sluiceca.load.scenario.wire.Terms;
import org.sluiceca.load.scenario.wire.Wave;

/**
 * All scenarios: what is sent is said by the terms in the folder that the system property {@code
 * sluice.scenario} names. Gatling injects by the open model, ahead of time; each virtual user waits
 * for the moment at which its request is due.
 */
public final class ScenarioSimulation extends Simulation {

  private static final String FOLDER = "sluice.scenario";

  private final Path folder;
  private final Clock clock = new Clock();
  private final Shots shots;

  /** Reads the terms. */
  public ScenarioSimulation() {
    String name = System.getProperty(FOLDER);
    if (name == null) {
      throw new IllegalStateException("no -D" + FOLDER + ": ./sluice load starts this");
    }
    folder = Path.of(name);
    try {
      Terms terms = Terms.read(folder);
      shots = new Shots(folder);
      setUp(populations(terms, new Calls(terms, new Targets(terms)))).protocols(protocol(terms));
    } catch (IOException e) {
      throw new UncheckedIOException("no terms in " + folder, e);
    }
  }

  /** The time begins when the users of the first moments are there. */
  @Override
  public void before() {
    // Load that nobody judges any more would go on for hours.
    Parent.watch(() -> Runtime.getRuntime().halt(1));
    clock.begin(System.nanoTime() + (long) (Terms.LEAD_SECONDS * TimeUnit.SECONDS.toNanos(1)));
    try {
      Terms.writeBeginning(folder, clock.beginningNanos());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to " + folder, e);
    }
  }

  @Override
  public void after() {
    shots.close();
  }

  private List<PopulationBuilder> populations(Terms terms, Calls calls) {
    List<PopulationBuilder> all = new ArrayList<>();
    for (Population population : terms.populations()) {
      // Of each its own: they must not come in step.
      long seed = terms.seed() * 31 + all.size();
      Arrivals arrivals = new Arrivals(population.waves(), terms.isPoisson(), seed);
      Life life = new Life(population, arrivals, clock, calls, shots);
      all.add(
          scenario(population.name())
              .exec(life.chain())
              .injectOpen(injection(population.waves()).toArray(OpenInjectionStep[]::new)));
    }
    return all;
  }

  /** As many users as requests, evenly, each wave from its beginning on. */
  private static List<OpenInjectionStep> injection(List<Wave> waves) {
    List<OpenInjectionStep> steps = new ArrayList<>();
    double at = 0;
    for (Wave wave : waves) {
      if (wave.fromSeconds() > at) {
        steps.add(nothingFor(duration(wave.fromSeconds() - at)));
      }
      steps.add(rampUsers(wave.count()).during(duration(wave.seconds())));
      at = wave.fromSeconds() + wave.seconds();
    }
    return steps;
  }

  /** All users share the connections, as those of a load balancer do. */
  private static HttpProtocolBuilder protocol(Terms terms) {
    HttpProtocolBuilder protocol =
        http.shareConnections()
            .disableCaching()
            .disableFollowRedirect()
            .disableAutoReferer()
            .disableWarmUp()
            .userAgentHeader("sluice-load");
    return terms.keepsConnections() ? protocol : protocol.header("Connection", "close");
  }

  private static Duration duration(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1000));
  }
}
