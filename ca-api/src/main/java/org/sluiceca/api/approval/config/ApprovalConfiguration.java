package org.sluiceca.api.approval.config;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.approval.ApprovalAction;
import org.sluiceca.api.approval.ApprovalLoop;
import org.sluiceca.api.approval.Approvals;
import org.sluiceca.api.approval.ApprovedAct;
import org.sluiceca.api.approval.store.ApprovalStore;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.auth.credential.CredentialAct;
import org.sluiceca.api.auth.store.CredentialStore;
import org.sluiceca.api.config.CaProperties;
import org.sluiceca.api.issuer.service.IssuerAdministration;
import org.sluiceca.api.issuer.service.IssuerInstallAct;
import org.sluiceca.api.issuer.service.IssuerRetirementAct;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.profile.administration.ProfileActivationAct;
import org.sluiceca.api.profile.administration.ProfileAdministration;
import org.sluiceca.api.revocation.bulk.BulkRevocationAct;
import org.sluiceca.api.revocation.bulk.BulkRevocations;
import org.sluiceca.core.time.Ticker;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Joins what is held back with what carries it out. */
@Configuration(proxyBeanMethods = false)
public class ApprovalConfiguration {

  private static final Logger LOG = LoggerFactory.getLogger(ApprovalConfiguration.class);

  @Bean
  ProfileActivationAct profileActivationAct(ProfileAdministration profiles) {
    return new ProfileActivationAct(profiles);
  }

  @Bean
  BulkRevocationAct bulkRevocationAct(BulkRevocations revocations) {
    return new BulkRevocationAct(revocations);
  }

  @Bean
  CredentialAct credentialAct(CredentialStore credentials, AuditTrail trail) {
    return new CredentialAct(credentials, trail);
  }

  @Bean
  IssuerInstallAct issuerInstallAct(IssuerAdministration issuers) {
    return new IssuerInstallAct(issuers);
  }

  @Bean
  IssuerRetirementAct issuerRetirementAct(IssuerAdministration issuers) {
    return new IssuerRetirementAct(issuers);
  }

  @Bean
  Approvals approvals(
      CaProperties properties,
      LedgerDatabase database,
      AuditTrail trail,
      List<ApprovedAct> acts,
      CredentialStore credentials,
      InstantSource clock) {
    Set<ApprovalAction> actions = properties.approval().actions();
    requireWhole(actions);
    ApprovalStore store = new ApprovalStore(database);
    store.require(actions.stream().map(ApprovalAction::text).toList());
    Set<String> required = store.required();
    if (required.size() > actions.size()) {
      LOG.warn(
          "other nodes require approval of {}: this one does so too, though its"
              + " sluice.approval.actions says {}",
          required,
          actions.stream().map(ApprovalAction::text).toList());
    }
    return new Approvals(
        actions,
        store,
        trail,
        acts,
        (requester, role) -> {
          Instant now = clock.instant();
          return credentials.list(requester).stream()
              .anyMatch(c -> c.isValidAt(now) && c.grant().roles().contains(role));
        });
  }

  /**
   * One admin alone could register a second requester, and approve as that one.
   *
   * @throws IllegalArgumentException if something is held back and that is not
   */
  static void requireWhole(Set<ApprovalAction> actions) {
    if (!actions.isEmpty() && !actions.contains(ApprovalAction.CREDENTIAL_ADMIN)) {
      throw new IllegalArgumentException(
          "sluice.approval.actions without credential-admin: an admin could register a second"
              + " requester and approve as that one");
    }
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  ApprovalLoop approvalLoop(
      Approvals approvals, InstantSource clock, Ticker ticker, MeterRegistry registry) {
    ApprovalLoop loop = new ApprovalLoop(approvals, clock, ticker);
    FunctionCounter.builder("ca.approval.failures", loop, ApprovalLoop::failures)
        .register(registry);
    return loop;
  }
}
