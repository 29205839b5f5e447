package org.sluiceca.api.wiring;

import io.micrometer.core.instrument.MeterRegistry;
import org.sluiceca.api.ledger.LedgerDatabase;
import org.sluiceca.api.ledger.LedgerProbe;
import org.sluiceca.api.observe.HsmMetrics;
import org.sluiceca.api.observe.LedgerHealth;
import org.sluiceca.api.observe.MetricsSink;
import org.sluiceca.api.observe.SignerHealth;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.hsm.route.TokenGroup;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Joins events and snapshots to metrics and health. */
@Configuration(proxyBeanMethods = false)
public class ObserveConfiguration {

  @Bean
  EventSink events(MeterRegistry registry) {
    return new MetricsSink(registry);
  }

  @Bean
  HsmMetrics hsmMetrics(MeterRegistry registry) {
    return new HsmMetrics(registry);
  }

  @Bean
  SignerHealth signerHealthIndicator(TokenGroup tokens) {
    return new SignerHealth(tokens);
  }

  @Bean(destroyMethod = "close")
  LedgerHealth ledgerHealthIndicator(LedgerDatabase database) {
    return new LedgerHealth(new LedgerProbe(database));
  }
}
