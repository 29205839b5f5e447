package org.sluiceca.api.acme.config;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.sluiceca.api.acme.AcmeParts;
import org.sluiceca.api.acme.account.store.AccountStore;
import org.sluiceca.api.acme.binding.store.BindingStore;
import org.sluiceca.api.acme.endpoint.AcmeEndpoints;
import org.sluiceca.api.acme.nonce.NonceLoop;
import org.sluiceca.api.acme.nonce.Nonces;
import org.sluiceca.api.acme.nonce.store.NonceStore;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.certificate.CertificateAnswer;
import org.sluiceca.api.config.CaProperties;
import org.sluiceca.api.enrollment.renewal.ServiceUrl;
import org.sluiceca.api.platform.secret.SecretKeys;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.registration.store.PostgresRequestStore;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.registration.Registration;
import org.sluiceca.core.revoke.Revoker;
import org.sluiceca.core.verify.SignatureVerifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Builds ACME; without a folder of endpoints there are none, and no file of keys is needed. */
@Configuration(proxyBeanMethods = false)
public class AcmeConfiguration {

  @Bean
  AcmeEndpoints acmeEndpoints(CaProperties properties) {
    Path folder = properties.endpoints();
    AcmeEndpoints endpoints =
        folder == null ? new AcmeEndpoints(List.of()) : AcmeEndpoints.read(folder);
    if (!endpoints.all().isEmpty() && properties.secretsFile() == null) {
      throw new IllegalArgumentException(
          "sluice.endpoints has endpoints of ACME, so sluice.secrets-file must name a file of keys"
              + " that all nodes share");
    }
    return endpoints;
  }

  /** A node without endpoints keeps no secret; its keys are its own, and of no use to another. */
  @Bean
  SecretKeys secretKeys(CaProperties properties) {
    Path file = properties.secretsFile();
    return file == null ? SecretKeys.ofOneRun() : SecretKeys.read(file);
  }

  @Bean
  BindingStore bindingStore(LedgerDatabase database, SecretKeys keys) {
    return new BindingStore(database, keys);
  }

  @Bean
  Nonces acmeNonces(LedgerDatabase database, SecretKeys keys, InstantSource clock) {
    return new Nonces(new NonceStore(database), keys, clock);
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  NonceLoop nonceLoop(Nonces nonces) {
    return new NonceLoop(nonces);
  }

  @Bean
  AcmeParts acmeParts(
      ServiceUrl service,
      AcmeEndpoints endpoints,
      Nonces nonces,
      BindingStore bindings,
      PostgresRequestStore requests,
      LedgerDatabase database,
      Registration registration,
      Ledger ledger,
      Revoker revoker,
      SignatureVerifier verifier,
      AuditTrail trail,
      CertificateAnswer certificates) {
    return new AcmeParts(
        service.text(),
        endpoints,
        nonces,
        new AcmeParts.Stores(new AccountStore(database), bindings, requests),
        new AcmeParts.Ca(registration, ledger, revoker),
        verifier,
        trail,
        certificates);
  }
}
