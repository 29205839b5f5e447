package org.sluiceca.api.wiring;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import org.sluiceca.api.find.FindMetrics;
import org.sluiceca.api.find.IndexLoop;
import org.sluiceca.api.find.Searches;
import org.sluiceca.api.ledger.LedgerDatabase;
import org.sluiceca.api.ledger.find.CertificateIndex;
import org.sluiceca.api.ledger.find.CertificateSearch;
import org.sluiceca.api.ledger.find.ExpiryTally;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Builds the index of certificates and the searches in it. */
@Configuration(proxyBeanMethods = false)
public class FindConfiguration {

  @Bean
  FindMetrics findMetrics(MeterRegistry registry) {
    return new FindMetrics(registry);
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  IndexLoop indexLoop(
      LedgerDatabase database, CaProperties properties, FindMetrics metrics, InstantSource clock) {
    return new IndexLoop(new CertificateIndex(database), properties.find(), metrics, clock);
  }

  @Bean
  Searches searches(LedgerDatabase database, FindMetrics metrics) {
    return new Searches(new CertificateSearch(database), new ExpiryTally(database), metrics);
  }
}
