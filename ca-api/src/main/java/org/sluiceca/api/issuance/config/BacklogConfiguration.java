package org.sluiceca.api.issuance.config;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.sluiceca.api.config.CaProperties;
import org.sluiceca.api.hsm.IssuerWork;
import org.sluiceca.api.issuance.IssuanceExecutor;
import org.sluiceca.api.issuance.RecoveryDecider;
import org.sluiceca.api.issuance.backlog.BacklogPass;
import org.sluiceca.api.issuance.backlog.BacklogWatch;
import org.sluiceca.api.issuance.backlog.RecentRegistry;
import org.sluiceca.api.issuance.store.PostgresLedgerStore;
import org.sluiceca.api.issuance.store.PostgresOrderStore;
import org.sluiceca.api.platform.PeriodicTask;
import org.sluiceca.api.platform.change.ChangeWatch;
import org.sluiceca.api.platform.change.Rest;
import org.sluiceca.api.platform.change.Topic;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.intent.OrderStore;
import org.sluiceca.core.order.OrderAdmission;
import org.sluiceca.core.order.OrderRotation;
import org.sluiceca.core.time.Ticker;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Builds what records orders, watches them and takes them onto the line. */
@Configuration(proxyBeanMethods = false)
public class BacklogConfiguration {

  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

  /** A batch is a transaction; what is not started here, recovery goes on with. */
  private static final Duration STOP_MAX = Duration.ofSeconds(5);

  @Bean
  OrderStore orders(LedgerDatabase database, PostgresLedgerStore ledger) {
    return new PostgresOrderStore(database, ledger);
  }

  @Bean
  BacklogWatch backlogWatch(OrderStore orders, Ticker ticker, MeterRegistry registry) {
    BacklogWatch watch = new BacklogWatch(orders, ticker);
    Gauge _ = Gauge.builder("ca.backlog.orders", watch, w -> w.depths().total()).register(registry);
    Gauge _ =
        Gauge.builder("ca.backlog.rate", watch, BacklogWatch::takenPerSecond).register(registry);
    Gauge _ =
        Gauge.builder("ca.backlog.eta.seconds", watch, BacklogWatch::etaSeconds).register(registry);
    return watch;
  }

  @Bean
  OrderAdmission orderAdmission(Admission admission, CaProperties properties, BacklogWatch watch) {
    return new OrderAdmission(admission, properties.orders().limits(), watch::depths);
  }

  /** After the fulfilment that it feeds, so that it ends before it. */
  @Bean(initMethod = "start", destroyMethod = "close")
  PeriodicTask backlogTask(
      BacklogPass.Parts parts,
      BacklogWatch watch,
      Ticker ticker,
      SecureRandom random,
      ChangeWatch changes) {
    // Nodes begin with different requesters.
    OrderRotation turns = new OrderRotation(Character.toString('a' + random.nextInt(26)));
    BacklogPass pass = new BacklogPass(parts, watch, turns, ticker);
    AtomicReference<Rest> rest = new AtomicReference<>(Rest.never());
    PeriodicTask task =
        new PeriodicTask(
            new PeriodicTask.Terms(
                BacklogPass.class,
                "backlog",
                "no orders are taken out of the backlog",
                Duration.ZERO,
                PAUSE_AFTER_FAILURE,
                STOP_MAX),
            isStopping -> pass.run(rest.get()));
    rest.set(changes.rest(List.of(Topic.ORDERS), task::wake));
    return task;
  }

  @Bean
  BacklogPass.Parts backlogParts(
      Admission admission,
      Ledger ledger,
      RecoveryDecider reconsideration,
      IssuerWork work,
      IssuanceExecutor executor,
      Ticker ticker) {
    return new BacklogPass.Parts(
        admission,
        ledger,
        reconsideration.asking(registry -> new RecentRegistry(registry, ticker)),
        work::of,
        executor::start);
  }
}
