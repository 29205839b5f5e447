package org.sluiceca.api.renewal.config;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import org.sluiceca.api.config.CaProperties;
import org.sluiceca.api.issuer.store.IssuerStore;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.renewal.RenewalLoop;
import org.sluiceca.api.renewal.RenewalTimes;
import org.sluiceca.api.renewal.store.RateStore;
import org.sluiceca.api.renewal.store.ReplacementStore;
import org.sluiceca.core.admit.Admission;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Builds what chooses times of renewal. */
@Configuration(proxyBeanMethods = false)
public class RenewalTimesConfiguration {

  @Bean
  ReplacementStore replacementStore(LedgerDatabase database) {
    return new ReplacementStore(database);
  }

  @Bean
  RateStore renewalRates(LedgerDatabase database) {
    return new RateStore(database);
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  RenewalLoop renewalLoop(
      ReplacementStore replacements,
      RateStore rates,
      IssuerStore issuers,
      Admission admission,
      CaProperties properties,
      InstantSource clock,
      MeterRegistry registry) {
    return new RenewalLoop(
        replacements,
        rates,
        issuers::recordReplacements,
        () -> admission.occupancy().drainPerSecond(),
        properties.nodeName(),
        clock,
        registry);
  }

  @Bean
  RenewalTimes renewalTimes(ReplacementStore replacements, RateStore rates, RenewalLoop loop) {
    return new RenewalTimes(replacements, rates, loop);
  }
}
