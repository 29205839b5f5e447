package org.sluiceca.api.auth.config;

import java.time.InstantSource;
import org.sluiceca.api.auth.Authenticator;
import org.sluiceca.api.auth.CertificateAuthenticator;
import org.sluiceca.api.auth.store.CredentialStore;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.revocation.store.CompromisedKeyStore;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.revoke.RevocationStore;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Builds what recognizes a requester. */
@Configuration(proxyBeanMethods = false)
public class AuthConfiguration {

  @Bean
  CredentialStore credentialStore(LedgerDatabase database) {
    return new CredentialStore(database);
  }

  @Bean
  Authenticator authenticator(
      CredentialStore credentials,
      RevocationStore revocations,
      CompromisedKeyStore compromised,
      InstantSource clock) {
    return new Authenticator(credentials, revocations, compromised, clock);
  }

  @Bean
  CertificateAuthenticator holders(
      Ledger ledger, CredentialStore credentials, InstantSource clock) {
    return new CertificateAuthenticator(ledger, credentials, clock);
  }
}
