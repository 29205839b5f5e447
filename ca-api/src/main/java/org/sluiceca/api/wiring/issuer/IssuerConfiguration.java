package org.sluiceca.api.wiring.issuer;

import java.time.InstantSource;
import java.util.Set;
import java.util.stream.Collectors;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.issuer.service.IssuerAdministration;
import org.sluiceca.api.issuer.service.IssuerRegistry;
import org.sluiceca.api.issuer.service.IssuerStates;
import org.sluiceca.api.ledger.IssuerStore;
import org.sluiceca.api.ledger.IssuingKeyStore;
import org.sluiceca.api.ledger.LedgerDatabase;
import org.sluiceca.api.profile.version.ActiveVersions;
import org.sluiceca.api.profile.version.VersionRules;
import org.sluiceca.api.tls.NodeTls;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.verify.SignatureVerifier;
import org.sluiceca.core.x509.IssuerName;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Joins the issuers' administration with what it acts upon. */
@Configuration(proxyBeanMethods = false)
public class IssuerConfiguration {

  @Bean
  IssuerStates issuerStandings(IssuerRegistry registry, IssuerCatalog issuers) {
    return new IssuerStates(registry, issuers);
  }

  @Bean
  IssuerAdministration issuerAdministration(
      LedgerDatabase database,
      IssuerStore issuerStore,
      SignatureVerifier signatures,
      InstantSource clock,
      VersionRules rules,
      AuditTrail trail,
      IssuerRegistry registry,
      ActiveVersions versions) {
    Set<IssuerName> nodes =
        NodeTls.NODE.profiles().stream()
            .flatMap(profile -> rules.files().find(profile).stream())
            .map(CertificateProfile::issuer)
            .collect(Collectors.toUnmodifiableSet());
    return new IssuerAdministration(
        new IssuerAdministration.Stores(issuerStore, new IssuingKeyStore(database)),
        signatures,
        clock,
        nodes::contains,
        trail,
        () -> {
          registry.look();
          versions.wake();
        });
  }
}
