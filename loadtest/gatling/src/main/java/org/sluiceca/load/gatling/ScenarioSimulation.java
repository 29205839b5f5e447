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
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
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
  private final RequestRecords records;

  /** Reads the terms. */
  public ScenarioSimulation() {
    String name = System.getProperty(FOLDER);
    if (name == null) {
      throw new IllegalStateException("no -D" + FOLDER + ": ./sluice load starts this");
    }
    folder = Path.of(name);
    try {
      Terms terms = Terms.read(folder);
      records = new RequestRecords(folder);
      setUp(populations(terms, new Calls(terms, new Targets(terms))))
          // All users share the connections, as those of a load balancer do.
          .protocols(protocol(terms).shareConnections());
    } catch (IOException e) {
      throw new UncheckedIOException("no terms in " + folder, e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no certificates in " + folder, e);
    }
  }

  /** The time begins when the users of the first moments are there. */
  @Override
  public void before() {
    // Without its parent, load that no process judges would go on for hours.
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
    records.close();
  }

  private List<PopulationBuilder> populations(Terms terms, Calls calls)
      throws IOException, GeneralSecurityException {
    List<PopulationBuilder> all = new ArrayList<>();
    for (Population population : terms.populations()) {
      // Of each its own: they must not come in step.
      long seed = terms.seed() * 31 + all.size();
      Arrivals arrivals = new Arrivals(population.waves(), terms.isPoisson(), seed);
      Life life = new Life(population, arrivals, clock, calls, records);
      PopulationBuilder users =
          scenario(population.name())
              .exec(life.chain())
              .injectOpen(injection(population.waves()).toArray(OpenInjectionStep[]::new));
      Terms.Account account = terms.accounts().get(population.requester());
      all.add(
          account == null || account.store().isEmpty() || terms.accounts().size() == 1
              ? users
              : users.protocols(showing(account.store(), protocol(terms))));
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

  /** What all users have in common. */
  private static HttpProtocolBuilder protocol(Terms terms) {
    HttpProtocolBuilder protocol =
        http.disableCaching()
            .disableFollowRedirect()
            .disableAutoReferer()
            .disableWarmUp()
            .userAgentHeader("sluice-load");
    return terms.keepsConnections() ? protocol : protocol.header("Connection", "close");
  }

  /**
   * Connections that show a certificate. Gatling has those that are shared show one for all, so
   * each user has its own.
   */
  private static HttpProtocolBuilder showing(String store, HttpProtocolBuilder protocol)
      throws IOException, GeneralSecurityException {
    char[] password = Terms.STORE_PASSWORD.toCharArray();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream file = Files.newInputStream(Path.of(store))) {
      keys.load(file, password);
    }
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(keys, password);
    return protocol.perUserKeyManagerFactory(user -> factory);
  }

  private static Duration duration(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1000));
  }
}
