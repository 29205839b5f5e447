package org.sluiceca.api.certificate.config;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import org.sluiceca.api.certificate.find.FindMetrics;
import org.sluiceca.api.certificate.find.IndexLoop;
import org.sluiceca.api.certificate.find.Searches;
import org.sluiceca.api.certificate.index.store.CertificateIndex;
import org.sluiceca.api.certificate.store.CertificateSearch;
import org.sluiceca.api.certificate.store.ExpiryTally;
import org.sluiceca.api.config.CaProperties;
import org.sluiceca.api.platform.change.ChangeWatch;
import org.sluiceca.api.platform.store.LedgerDatabase;
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
      LedgerDatabase database,
      CaProperties properties,
      FindMetrics metrics,
      InstantSource clock,
      ChangeWatch changes) {
    IndexLoop loop =
        new IndexLoop(new CertificateIndex(database), properties.find(), metrics, clock);
    loop.restUntilChanged(changes);
    return loop;
  }

  @Bean
  Searches searches(LedgerDatabase database, FindMetrics metrics) {
    return new Searches(
        new CertificateSearch(database),
        new ExpiryTally(database),
        metrics,
        database.limits().statement());
  }
}
