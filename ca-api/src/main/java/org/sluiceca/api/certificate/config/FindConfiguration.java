package org.sluiceca.api.certificate.config;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import org.sluiceca.api.certificate.find.CertificateFinder;
import org.sluiceca.api.certificate.find.Searches;
import org.sluiceca.api.certificate.index.IndexLoop;
import org.sluiceca.api.certificate.index.IndexMetrics;
import org.sluiceca.api.certificate.index.Retention;
import org.sluiceca.api.certificate.index.store.CertificateIndex;
import org.sluiceca.api.certificate.index.store.ExpiredWeeks;
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
  IndexMetrics indexMetrics(MeterRegistry registry) {
    return new IndexMetrics(registry);
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  IndexLoop indexLoop(
      LedgerDatabase database,
      CaProperties properties,
      IndexMetrics metrics,
      InstantSource clock,
      ChangeWatch changes) {
    Retention retention =
        new Retention(new ExpiredWeeks(database), properties.find().keepExpired(), clock);
    IndexLoop loop = new IndexLoop(new CertificateIndex(database), retention, metrics);
    loop.restUntilChanged(changes);
    return loop;
  }

  @Bean
  Searches searches(LedgerDatabase database, MeterRegistry registry) {
    return new Searches(
        new CertificateSearch(database),
        new ExpiryTally(database),
        registry,
        database.limits().statement());
  }

  @Bean
  CertificateFinder certificateFinder(Searches searches, InstantSource clock) {
    return new CertificateFinder(searches, clock);
  }
}
