package org.sluiceca.api.profile.config;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.Set;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.config.CaProperties;
import org.sluiceca.api.issuer.service.IssuerRegistry;
import org.sluiceca.api.issuer.store.IssuerStore;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.platform.change.ChangeWatch;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.profile.ProfileFiles;
import org.sluiceca.api.profile.ProfileVersions;
import org.sluiceca.api.profile.administration.ProfileAdministration;
import org.sluiceca.api.profile.store.ActivationStore;
import org.sluiceca.api.profile.store.ProfileStore;
import org.sluiceca.api.profile.store.VersionStore;
import org.sluiceca.api.profile.version.ActiveVersions;
import org.sluiceca.api.profile.version.ProfileActive;
import org.sluiceca.api.profile.version.VersionHealth;
import org.sluiceca.api.profile.version.VersionIssuers;
import org.sluiceca.api.profile.version.VersionMetrics;
import org.sluiceca.api.profile.version.VersionRules;
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
  VersionStore versionStore(LedgerDatabase database) {
    return new VersionStore(database);
  }

  @Bean
  ActivationStore activationStore(LedgerDatabase database) {
    return new ActivationStore(database);
  }

  /**
   * No requester gets a profile whose content contradicts its version, not even the node itself.
   */
  @Bean
  VersionRules versionRules(
      CaProperties properties, LedgerDatabase database, IssuerStore issuerStore) {
    ProfileCatalog files = ProfileFiles.read(properties.profiles());
    ProfileVersions.record(files, new ProfileStore(database));
    // This node does not know of issuers that are installed later until it starts again.
    Set<IssuerName> allowed = VersionIssuers.of(files, issuerStore.list());
    return new VersionRules(files, allowed::contains, properties.profilesAtRunTime());
  }

  @Bean
  IssuerRegistry issuerRegistry(IssuerStore issuerStore) {
    return new IssuerRegistry(issuerStore);
  }

  /** The one thread that looks for activated versions looks for retired issuers as well. */
  @Bean(destroyMethod = "close")
  ActiveVersions activeVersions(
      VersionRules rules,
      VersionStore store,
      ActivationStore activations,
      IssuerRegistry registry,
      IssuerCatalog issuers) {
    return new ActiveVersions(
        rules,
        store,
        activations,
        () -> {
          Set<IssuerName> retired = registry.retired();
          // First of all, whatever fails after it: the node's own certificates, responders' ones
          // and requests that have found their profile do not ask the catalogue of profiles.
          issuers.retire(retired);
          return retired;
        });
  }

  @Bean
  ProfileCatalog profiles(ActiveVersions versions) {
    return versions.catalog();
  }

  @Bean
  ProfileAdministration profileAdministration(
      VersionRules rules,
      VersionStore store,
      ActivationStore activations,
      IssuerStore issuerStore,
      AuditTrail trail,
      ActiveVersions versions) {
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
        versions);
  }

  @Bean
  VersionHealth profilesHealthIndicator(ActiveVersions versions) {
    return new VersionHealth(versions);
  }

  /** The audit trail needs the catalogue first. */
  @Bean
  SmartInitializingSingleton profileWatch(
      ActiveVersions versions, AuditTrail trail, MeterRegistry registry, ChangeWatch changes) {
    return () -> {
      versions.restUntilChanged(changes);
      VersionMetrics.watch(versions, registry);
      versions.start(profile -> trail.record(ProfileActive.fact(profile)));
    };
  }
}
