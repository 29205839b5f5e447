package org.sluiceca.api.platform.memory.config;

import org.sluiceca.api.platform.memory.OldGenerationWatch;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Watches the heap of a node that has started. */
@Configuration(proxyBeanMethods = false)
public class MemoryConfiguration {

  @Bean(destroyMethod = "close")
  OldGenerationWatch oldGenerationWatch() {
    return new OldGenerationWatch();
  }

  /** What the start used is part of what a node may use. */
  @Bean
  ApplicationListener<ApplicationReadyEvent> oldGenerationWatchStart(OldGenerationWatch watch) {
    return _ -> watch.start();
  }
}
