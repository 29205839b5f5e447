package org.sluiceca.api.acme.config;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import org.sluiceca.api.acme.challenge.ChallengeLoop;
import org.sluiceca.api.acme.endpoint.AcmeUrls;
import org.sluiceca.api.acme.endpoint.version.ActiveEndpoints;
import org.sluiceca.api.acme.order.AcmeAuthorizations;
import org.sluiceca.api.acme.order.AcmeOrders;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.platform.change.ChangeWatch;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.registration.store.AuthorizationStore;
import org.sluiceca.api.registration.store.ProofQueue;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Builds what looks for proofs of names. */
@Configuration(proxyBeanMethods = false)
public class ChallengeConfiguration {

  @Bean
  AuthorizationStore authorizationStore(LedgerDatabase database) {
    return new AuthorizationStore(database);
  }

  @Bean
  ProofQueue proofQueue(LedgerDatabase database) {
    return new ProofQueue(database);
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  ChallengeLoop challengeLoop(
      ProofQueue queue,
      ActiveEndpoints active,
      AcmeUrls urls,
      AuditTrail trail,
      MeterRegistry registry,
      InstantSource clock,
      ChangeWatch changes) {
    ChallengeLoop loop = new ChallengeLoop(queue, active.endpoints(), urls, trail, registry, clock);
    loop.restUntilChanged(changes);
    return loop;
  }

  @Bean
  AcmeAuthorizations acmeAuthorizations(
      AcmeUrls urls,
      AcmeOrders orders,
      AuthorizationStore store,
      ChallengeLoop loop,
      InstantSource clock) {
    return new AcmeAuthorizations(urls, orders, store, loop, clock);
  }
}
