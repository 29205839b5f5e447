package org.sluiceca.api.wiring.profile;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.Set;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.issuer.service.IssuerRoster;
import org.sluiceca.api.ledger.IssuerStore;
import org.sluiceca.api.ledger.LedgerDatabase;
import org.sluiceca.api.ledger.RegisteredIssuer;
import org.sluiceca.api.ledger.profile.ActivationStore;
import org.sluiceca.api.ledger.profile.EditionStore;
import org.sluiceca.api.ledger.profile.ProfileStore;
import org.sluiceca.api.profile.ProfileEditions;
import org.sluiceca.api.profile.ProfileFiles;
import org.sluiceca.api.profile.edition.ActiveEditions;
import org.sluiceca.api.profile.edition.EditionHealth;
import org.sluiceca.api.profile.edition.EditionIssuers;
import org.sluiceca.api.profile.edition.EditionMetrics;
import org.sluiceca.api.profile.edition.EditionRules;
import org.sluiceca.api.profile.edition.ProfileAdministration;
import org.sluiceca.api.wiring.CaProperties;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.x509.IssuerName;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Joins profile files and what administrators activated. */
@Configuration(proxyBeanMethods = false)
public class ProfileConfiguration {

  @Bean
  EditionStore editionStore(LedgerDatabase database) {
    return new EditionStore(database);
  }

  @Bean
  ActivationStore activationStore(LedgerDatabase database) {
    return new ActivationStore(database);
  }

  /** Nobody gets a profile whose content contradicts its version: not even the node for itself. */
  @Bean
  EditionRules editionRules(
      CaProperties properties, LedgerDatabase database, IssuerStore issuerStore) {
    ProfileCatalog files = ProfileFiles.read(properties.profiles());
    ProfileEditions.record(files, new ProfileStore(database));
    // What is installed later this node does not know of until it starts again.
    Set<IssuerName> allowed = EditionIssuers.of(files, issuerStore.list());
    return new EditionRules(files, allowed::contains, properties.profilesAtRunTime());
  }

  @Bean
  IssuerRoster issuerRoster(IssuerStore issuerStore) {
    return new IssuerRoster(issuerStore);
  }

  /** The one thread that looks every two seconds looks for retired issuers as well. */
  @Bean(destroyMethod = "close")
  ActiveEditions activeEditions(
      EditionRules rules,
      EditionStore store,
      ActivationStore activations,
      IssuerRoster roster,
      IssuerCatalog issuers) {
    return new ActiveEditions(
        rules,
        store,
        activations,
        () -> {
          Set<IssuerName> retired = roster.retired();
          // First of all, whatever fails after it: the node's own certificates, responders' ones
          // and requests that have found their profile do not ask the catalogue of profiles.
          issuers.retire(retired);
          return retired;
        });
  }

  @Bean
  ProfileCatalog profiles(ActiveEditions editions) {
    return editions.catalog();
  }

  @Bean
  ProfileAdministration profileAdministration(
      EditionRules rules,
      EditionStore store,
      ActivationStore activations,
      IssuerStore issuerStore,
      AuditTrail trail,
      ActiveEditions editions) {
    return new ProfileAdministration(
        rules,
        store,
        activations,
        issuer ->
            issuerStore
                .find(issuer)
                .filter(row -> row.state() == RegisteredIssuer.State.ACTIVE)
                .isPresent(),
        trail,
        editions);
  }

  @Bean
  EditionHealth profilesHealthIndicator(ActiveEditions editions) {
    return new EditionHealth(editions);
  }

  /** The audit trail needs the catalogue first. */
  @Bean
  SmartInitializingSingleton profileWatch(
      ActiveEditions editions, AuditTrail trail, MeterRegistry registry) {
    return () -> {
      EditionMetrics.watch(editions, registry);
      editions.start(profile -> trail.record(ProfileActive.fact(profile)));
    };
  }
}
