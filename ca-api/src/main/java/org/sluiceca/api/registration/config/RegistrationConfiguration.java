package org.sluiceca.api.registration.config;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import org.sluiceca.api.issuance.IssuanceExecutor;
import org.sluiceca.api.issuance.IssuanceService;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.registration.LedgerIssuing;
import org.sluiceca.api.registration.RequestGauges;
import org.sluiceca.api.registration.RequestLoop;
import org.sluiceca.api.registration.store.EarlierIntents;
import org.sluiceca.api.registration.store.OldRequests;
import org.sluiceca.api.registration.store.PostgresRequestStore;
import org.sluiceca.api.registration.store.RequestCounts;
import org.sluiceca.api.registration.store.RequestList;
import org.sluiceca.api.registration.store.RequestsBySerial;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.registration.Registration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Joins the registration of requests with the database and with issuance. */
@Configuration(proxyBeanMethods = false)
public class RegistrationConfiguration {

  @Bean
  PostgresRequestStore requestStore(LedgerDatabase database, MeterRegistry registry) {
    return new PostgresRequestStore(database, new RequestCounts(registry));
  }

  @Bean
  RequestsBySerial requestsBySerial(LedgerDatabase database) {
    return new RequestsBySerial(database);
  }

  @Bean
  RequestList requestList(LedgerDatabase database) {
    return new RequestList(database);
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  RequestGauges requestGauges(RequestList requests, MeterRegistry registry, InstantSource clock) {
    return new RequestGauges(requests, registry, clock);
  }

  @Bean
  Registration registration(
      PostgresRequestStore store,
      IssuanceService issuance,
      IssuanceExecutor executor,
      Ledger ledger,
      LedgerDatabase database,
      InstantSource clock) {
    return new Registration(
        store, new LedgerIssuing(issuance, executor, ledger, new EarlierIntents(database)), clock);
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  RequestLoop requestLoop(Registration registration, LedgerDatabase database, InstantSource clock) {
    return new RequestLoop(registration, new OldRequests(database), clock);
  }
}
