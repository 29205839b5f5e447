package org.sluiceca.api.issuance.config;

import java.time.Duration;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.config.CaProperties;
import org.sluiceca.api.console.live.feed.ProtocolTally;
import org.sluiceca.api.http.connector.BoundedProtocol;
import org.sluiceca.api.issuance.IntentFinisher;
import org.sluiceca.api.issuance.IssuanceExecutor;
import org.sluiceca.api.issuance.IssuanceService;
import org.sluiceca.api.issuance.RecoveryDecider;
import org.sluiceca.api.issuance.RecoveryPass;
import org.sluiceca.api.issuance.RenewalAudit;
import org.sluiceca.api.issuance.WaitBulkhead;
import org.sluiceca.api.issuance.backlog.BacklogWatch;
import org.sluiceca.api.observe.trace.Tracing;
import org.sluiceca.api.platform.PeriodicTask;
import org.sluiceca.api.revocation.blocked.ReservedNameSource;
import org.sluiceca.core.enroll.Enrollment;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.intent.RecoveryPolicy;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.plan.Recheck;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.time.Ticker;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Builds what finishes accepted requests, and the service through which all are made. */
@Configuration(proxyBeanMethods = false)
public class IssuanceConfiguration {

  /** What recovery has in hand goes on elsewhere when its claims run out. */
  private static final Duration STOP_MAX = Duration.ofSeconds(5);

  @Bean
  WaitBulkhead waitBulkhead(@Value("${server.tomcat.max-connections}") int connectionsMax) {
    return new WaitBulkhead(BoundedProtocol.requestsMax(connectionsMax));
  }

  @Bean(destroyMethod = "close")
  IssuanceExecutor executor(
      Enrollment enrollment, EventSink events, Ticker ticker, Tracing tracing) {
    return new IssuanceExecutor(
        new IntentFinisher(enrollment, events, ticker), ticker, tracing::continued);
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  PeriodicTask recovery(Ledger ledger, IssuanceExecutor executor, RecoveryDecider decider) {
    RecoveryPass pass = new RecoveryPass(ledger, executor, decider);
    return new PeriodicTask(
        new PeriodicTask.Terms(
            RecoveryPass.class,
            "recovery",
            "recovery waits",
            Duration.ZERO,
            RecoveryPass.PAUSE,
            STOP_MAX),
        isStopping -> {
          pass.run(isStopping);
          return RecoveryPass.PAUSE;
        });
  }

  @Bean
  RecoveryDecider recoveryDecider(
      Ledger ledger,
      CaProperties properties,
      Recheck recheck,
      RecoveryRegistry registry,
      EventSink events) {
    return new RecoveryDecider(
        ledger, new RecoveryPolicy(properties.line().intentAgeMax()), recheck, registry, events);
  }

  @Bean
  Recheck recheck(ProfileCatalog profiles, IssuerCatalog issuers, ReservedNameSource reserved) {
    return new Recheck(profiles, issuers, reserved::current);
  }

  @Bean
  RenewalAudit renewalAudit(AuditTrail trail) {
    return new RenewalAudit(trail);
  }

  @Bean
  IssuanceService.Parts issuanceParts(
      IssuanceExecutor executor,
      WaitBulkhead clients,
      BacklogWatch backlog,
      RenewalAudit audit,
      ProtocolTally protocols,
      Ticker ticker) {
    return new IssuanceService.Parts(
        executor, clients, backlog::positionOfNewest, audit, protocols, ticker);
  }

  @Bean
  IssuanceService issuance(Enrollment enrollment, IssuanceService.Parts parts) {
    return new IssuanceService(enrollment, parts);
  }
}
