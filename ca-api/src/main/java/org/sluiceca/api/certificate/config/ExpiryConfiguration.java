package org.sluiceca.api.certificate.config;

import io.micrometer.core.instrument.MeterRegistry;
import org.sluiceca.api.certificate.expiry.ExpiryWatch;
import org.sluiceca.api.certificate.store.CredentialEnds;
import org.sluiceca.api.issuer.service.IssuerRegistry;
import org.sluiceca.api.ocsp.Responders;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.tls.TlsRenewal;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Joins what ends with the metrics that show it. */
@Configuration(proxyBeanMethods = false)
public class ExpiryConfiguration {

  @Bean(initMethod = "start", destroyMethod = "close")
  ExpiryWatch expiryWatch(
      IssuerRegistry issuers,
      Responders responders,
      TlsRenewal tls,
      LedgerDatabase database,
      MeterRegistry registry) {
    CredentialEnds credentials = new CredentialEnds(database);
    return new ExpiryWatch(
        new ExpiryWatch.Sources(issuers::rows, responders::all, tls::notAfter, credentials::read),
        registry);
  }
}
