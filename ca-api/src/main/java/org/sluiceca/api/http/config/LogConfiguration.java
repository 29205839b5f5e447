package org.sluiceca.api.http.config;

import ch.qos.logback.classic.LoggerContext;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Set;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.config.CaProperties;
import org.sluiceca.api.http.access.AccessLog;
import org.sluiceca.api.platform.log.LogLineLimit;
import org.sluiceca.core.time.Ticker;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Bounds the logs, and begins the access log. */
@Configuration(proxyBeanMethods = false)
public class LogConfiguration {

  @Bean(initMethod = "start", destroyMethod = "close")
  AccessLog accessLog(CaProperties properties, MeterRegistry registry, Ticker ticker) {
    AccessLog log = new AccessLog(properties.accessLog(), ticker);
    FunctionCounter.builder("ca.access.log.lines", log, AccessLog::written).register(registry);
    for (AccessLog.Dropped reason : AccessLog.Dropped.values()) {
      FunctionCounter.builder("ca.access.log.dropped", log, l -> l.dropped(reason))
          .tag("reason", reason.label())
          .register(registry);
    }
    return log;
  }

  /** The context outlives this application only in tests. */
  @Bean
  LogLineLimit logLineLimit(MeterRegistry registry, Ticker ticker) {
    LogLineLimit limit = new LogLineLimit(Set.of(AccessLog.class.getName()), ticker);
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.addTurboFilter(limit);
    }
    FunctionCounter.builder("ca.log.suppressed", limit, LogLineLimit::suppressed)
        .register(registry);
    return limit;
  }
}
