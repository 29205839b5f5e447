package org.sluiceca.api.observe.config;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.servlet.Filter;
import java.util.Optional;
import org.sluiceca.api.audit.AuditSink;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.config.CaProperties;
import org.sluiceca.api.console.live.feed.RequesterTally;
import org.sluiceca.api.observe.HsmMetrics;
import org.sluiceca.api.observe.LedgerHealth;
import org.sluiceca.api.observe.MetricsSink;
import org.sluiceca.api.observe.SignerHealth;
import org.sluiceca.api.observe.trace.Tracing;
import org.sluiceca.api.platform.ProductVersion;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerProbe;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.hsm.route.TokenGroup;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/** Joins events and snapshots to metrics, traces and health. */
@Configuration(proxyBeanMethods = false)
public class ObserveConfiguration {

  @Bean
  EventSink events(
      MeterRegistry registry, Tracing tracing, AuditTrail trail, RequesterTally requesters) {
    EventSink metrics = new MetricsSink(registry);
    EventSink marks = tracing.events();
    EventSink audit = new AuditSink(trail);
    return event -> {
      metrics.accept(event);
      marks.accept(event);
      audit.accept(event);
      requesters.accept(event);
    };
  }

  @Bean(destroyMethod = "close")
  Tracing tracing(CaProperties properties) {
    return Tracing.of(properties.tracing(), properties.nodeName());
  }

  /** Behind the request's id, before any client is authenticated. */
  @Bean
  FilterRegistrationBean<Filter> requestSpans(Tracing tracing) {
    Optional<Filter> spans = tracing.requests();
    FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>();
    registration.setFilter(spans.orElse((request, response, chain) -> {}));
    registration.setEnabled(spans.isPresent());
    registration.setName("requestSpans");
    registration.addUrlPatterns("/v1/*");
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 1);
    return registration;
  }

  @Bean
  HsmMetrics hsmMetrics(MeterRegistry registry) {
    return new HsmMetrics(registry);
  }

  /** Which versions run, while nodes are upgraded one after another. */
  @Bean
  MeterBinder nodeVersion() {
    return registry ->
        Gauge.builder("ca.node.version", () -> 1)
            .strongReference(true)
            .tag("version", ProductVersion.running())
            .tag("java", Runtime.version().toString())
            .register(registry);
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
