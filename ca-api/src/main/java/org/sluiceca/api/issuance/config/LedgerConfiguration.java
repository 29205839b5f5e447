package org.sluiceca.api.issuance.config;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import org.sluiceca.api.config.CaProperties;
import org.sluiceca.api.issuance.store.PostgresLedgerStore;
import org.sluiceca.api.issuance.store.commit.CommitObserver;
import org.sluiceca.api.platform.change.ChangeWatch;
import org.sluiceca.api.platform.change.store.ChangeNumbers;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerUpkeep;
import org.sluiceca.core.time.Ticker;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Opens the database and the ledger in it. */
@Configuration(proxyBeanMethods = false)
public class LedgerConfiguration {

  @Bean(destroyMethod = "close")
  LedgerDatabase database(CaProperties properties) {
    CaProperties.Database database = properties.database();
    LedgerDatabase opened =
        new LedgerDatabase(
            new LedgerDatabase.Address(
                database.url(),
                database.user(),
                database.passwordFile(),
                LedgerDatabase.Owner.of(
                    database.migrationUser(), database.migrationPasswordFile())));
    opened.migrate();
    // Takes as long as the tables are large: the start does not wait for it.
    opened.largeIndexes().start();
    return opened;
  }

  @Bean(destroyMethod = "close")
  PostgresLedgerStore ledgerStore(LedgerDatabase database, Ticker ticker, CommitObserver observer) {
    return new PostgresLedgerStore(database, LineConfiguration.CLAIM_LIFETIME, observer, ticker);
  }

  /** What loops of this node rest until. */
  @Bean(initMethod = "start", destroyMethod = "close")
  ChangeWatch changeWatch(LedgerDatabase database, Ticker ticker, MeterRegistry registry) {
    ChangeWatch watch = new ChangeWatch(new ChangeNumbers(database), ticker);
    Gauge _ =
        Gauge.builder("ca.change.watch.age.seconds", watch, ChangeWatch::ageSeconds)
            .register(registry);
    return watch;
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  LedgerUpkeep ledgerUpkeep(LedgerDatabase database) {
    return new LedgerUpkeep(database);
  }

  @Bean
  CommitObserver commits(MeterRegistry registry) {
    DistributionSummary batch =
        DistributionSummary.builder("ca.db.commit.batch.size").register(registry);
    Timer duration = Timer.builder("ca.db.commit.duration").register(registry);
    return (rows, nanos) -> {
      batch.record(rows);
      duration.record(nanos, TimeUnit.NANOSECONDS);
    };
  }
}
