package org.sluiceca.api.wiring.issuer;

import java.time.InstantSource;
import java.util.Set;
import java.util.stream.Collectors;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.issuer.service.IssuerAdministration;
import org.sluiceca.api.issuer.service.IssuerRoster;
import org.sluiceca.api.issuer.service.IssuerStandings;
import org.sluiceca.api.ledger.IssuerStore;
import org.sluiceca.api.ledger.IssuingKeyStore;
import org.sluiceca.api.ledger.LedgerDatabase;
import org.sluiceca.api.profile.edition.ActiveEditions;
import org.sluiceca.api.profile.edition.EditionRules;
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
  IssuerStandings issuerStandings(IssuerRoster roster, IssuerCatalog issuers) {
    return new IssuerStandings(roster, issuers);
  }

  @Bean
  IssuerAdministration issuerAdministration(
      LedgerDatabase database,
      IssuerStore issuerStore,
      SignatureVerifier signatures,
      InstantSource clock,
      EditionRules rules,
      AuditTrail trail,
      IssuerRoster roster,
      ActiveEditions editions) {
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
          roster.look();
          editions.wake();
        });
  }
}
