package org.sluiceca.api.enrollment.renewal.config;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.sluiceca.api.auth.store.CredentialStore;
import org.sluiceca.api.config.CaProperties;
import org.sluiceca.api.enrollment.renewal.RenewalProofs;
import org.sluiceca.api.enrollment.renewal.ServiceUrl;
import org.sluiceca.api.revocation.store.CompromisedKeyStore;
import org.sluiceca.core.der.KeyFingerprint;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.verify.SignatureVerifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Builds the check of proofs by which a certificate is renewed. */
@Configuration(proxyBeanMethods = false)
public class RenewalConfiguration {

  /** The base of every URL that clients are handed, or sign. */
  @Bean
  ServiceUrl serviceUrl(CaProperties properties, @Value("${server.port}") int port) {
    return properties.serviceUrl().isEmpty()
        ? new ServiceUrl("https://localhost:" + port)
        : ServiceUrl.parse(properties.serviceUrl());
  }

  @Bean
  RenewalProofs renewalProofs(
      ServiceUrl service,
      Ledger ledger,
      CredentialStore credentials,
      CompromisedKeyStore compromised,
      SignatureVerifier verifier,
      InstantSource clock,
      MeterRegistry registry) {
    Map<RenewalProofs.Outcome, Counter> counters = new EnumMap<>(RenewalProofs.Outcome.class);
    for (RenewalProofs.Outcome outcome : RenewalProofs.Outcome.values()) {
      counters.put(
          outcome,
          Counter.builder("ca.renewal.proofs")
              .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
    return new RenewalProofs(
        service,
        new RenewalProofs.Registers(
            ledger::find,
            credentials::grants,
            (key, requester) -> compromised.contains(KeyFingerprint.of(key), requester)),
        verifier,
        clock,
        outcome -> Objects.requireNonNull(counters.get(outcome)).increment());
  }
}
