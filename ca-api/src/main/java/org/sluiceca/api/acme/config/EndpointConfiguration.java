package org.sluiceca.api.acme.config;

import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import org.sluiceca.api.acme.endpoint.AcmeEndpoints;
import org.sluiceca.api.acme.endpoint.EndpointFiles;
import org.sluiceca.api.acme.endpoint.administration.EndpointActivationAct;
import org.sluiceca.api.acme.endpoint.administration.EndpointActivations;
import org.sluiceca.api.acme.endpoint.administration.EndpointAdministration;
import org.sluiceca.api.acme.endpoint.store.EndpointActivationStore;
import org.sluiceca.api.acme.endpoint.store.EndpointStore;
import org.sluiceca.api.acme.endpoint.version.ActiveEndpoints;
import org.sluiceca.api.acme.endpoint.version.EndpointHealth;
import org.sluiceca.api.acme.endpoint.version.EndpointMetrics;
import org.sluiceca.api.acme.endpoint.version.EndpointRules;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.config.CaProperties;
import org.sluiceca.api.platform.change.ChangeWatch;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.profile.version.ActiveVersions;
import org.sluiceca.core.profile.CertificateProfile.Use;
import org.sluiceca.core.profile.ProfileCatalog;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Joins the files of endpoints and what administrators activated. */
@Configuration(proxyBeanMethods = false)
public class EndpointConfiguration {

  @Bean
  EndpointStore endpointStore(LedgerDatabase database) {
    return new EndpointStore(database);
  }

  @Bean
  EndpointActivationStore endpointActivationStore(LedgerDatabase database) {
    return new EndpointActivationStore(database);
  }

  @Bean
  EndpointRules endpointRules(CaProperties properties, ProfileCatalog profiles) {
    Path folder = properties.endpoints();
    EndpointFiles files = folder == null ? EndpointFiles.none() : EndpointFiles.read(folder);
    boolean hasSecrets = properties.secretsFile() != null;
    if (!files.endpoints().isEmpty() && !hasSecrets) {
      throw new IllegalArgumentException(
          "sluice.endpoints has endpoints of ACME, so sluice.secrets-file must name a file of keys"
              + " that all nodes share");
    }
    return new EndpointRules(
        files,
        name -> profiles.find(name).filter(p -> p.use() == Use.ENROLLMENT).isPresent(),
        hasSecrets);
  }

  @Bean
  AcmeEndpoints acmeEndpoints(EndpointRules rules) {
    return new AcmeEndpoints(rules.files().endpoints());
  }

  @Bean(destroyMethod = "close")
  ActiveEndpoints activeEndpoints(
      EndpointRules rules, EndpointActivationStore activations, AcmeEndpoints endpoints) {
    return new ActiveEndpoints(rules, activations, endpoints);
  }

  @Bean
  EndpointActivations endpointActivations(
      EndpointRules rules,
      EndpointStore store,
      EndpointActivationStore activations,
      AuditTrail trail,
      ActiveEndpoints active) {
    return new EndpointActivations(rules, store, activations, trail, active);
  }

  @Bean
  EndpointAdministration endpointAdministration(
      EndpointRules rules,
      EndpointStore store,
      EndpointActivations activations,
      AuditTrail trail,
      AcmeEndpoints endpoints,
      ActiveEndpoints active) {
    return new EndpointAdministration(rules, store, activations, trail, endpoints, active);
  }

  @Bean
  EndpointActivationAct endpointActivationAct(
      EndpointAdministration endpoints, EndpointActivations activations) {
    return new EndpointActivationAct(endpoints, activations);
  }

  @Bean
  EndpointHealth endpointsHealthIndicator(ActiveEndpoints active) {
    return new EndpointHealth(active);
  }

  @Bean
  SmartInitializingSingleton endpointWatch(
      ActiveEndpoints active,
      ActiveVersions profiles,
      MeterRegistry registry,
      ChangeWatch changes) {
    return () -> {
      active.restUntilChanged(changes);
      // Endpoints come into service with their profiles, and go with them.
      profiles.whenReplaced(active::wake);
      EndpointMetrics.watch(active, registry);
      active.start();
    };
  }
}
