package org.sluiceca.api.issuer.config;

import java.time.InstantSource;
import java.util.Set;
import java.util.stream.Collectors;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.config.CaProperties;
import org.sluiceca.api.hsm.config.HsmConfiguration;
import org.sluiceca.api.issuer.ActiveIssuers;
import org.sluiceca.api.issuer.StatusIssuers;
import org.sluiceca.api.issuer.service.IssuerAdministration;
import org.sluiceca.api.issuer.service.IssuerRegistry;
import org.sluiceca.api.issuer.service.IssuerStates;
import org.sluiceca.api.issuer.store.IssuerStore;
import org.sluiceca.api.issuer.store.IssuingKeyStore;
import org.sluiceca.api.ocsp.ResponderKeys;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.tls.NodeTls;
import org.sluiceca.api.profile.version.ActiveVersions;
import org.sluiceca.api.profile.version.VersionRules;
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

  @Bean
  IssuerStore issuerStore(LedgerDatabase database) {
    return new IssuerStore(database);
  }

  @Bean
  ActiveIssuers activeIssuers(
      IssuerStore issuers,
      ResponderKeys responders,
      VersionRules rules,
      HsmConfiguration.Configured tokens,
      CaProperties properties) {
    return ActiveIssuers.of(
        issuers.list(),
        tokens.labels(),
        // The issuers that must be here never follow from the database: otherwise no operator could
        // start a node again.
        rules.files(),
        new ActiveIssuers.PublicSide(properties.publicUrl(), properties.crl().shards()),
        properties.ocsp().aia() ? responders.byIssuer().keySet() : Set.of());
  }

  @Bean
  StatusIssuers statusIssuers(
      IssuerStore issuers, ActiveIssuers active, CaProperties properties, InstantSource clock) {
    return StatusIssuers.of(
        issuers.list(),
        active,
        new ActiveIssuers.PublicSide(properties.publicUrl(), properties.crl().shards()),
        clock.instant());
  }
}
