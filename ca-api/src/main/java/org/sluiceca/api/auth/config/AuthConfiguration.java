package org.sluiceca.api.auth.config;

import java.time.InstantSource;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.auth.Authenticator;
import org.sluiceca.api.auth.CertificateAuthenticator;
import org.sluiceca.api.auth.oidc.OidcTokens;
import org.sluiceca.api.auth.oidc.StandingGrants;
import org.sluiceca.api.auth.store.CredentialStore;
import org.sluiceca.api.auth.store.CredentialUseStore;
import org.sluiceca.api.auth.store.RotationStore;
import org.sluiceca.api.auth.use.CredentialUses;
import org.sluiceca.api.auth.use.FirstUse;
import org.sluiceca.api.config.CaProperties;
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

  @Bean(initMethod = "start", destroyMethod = "close")
  CredentialUses credentialUses(LedgerDatabase database) {
    return new CredentialUses(new CredentialUseStore(database)::record);
  }

  @Bean
  RotationStore rotationStore(LedgerDatabase database) {
    return new RotationStore(database);
  }

  @Bean
  FirstUse firstUse(
      CredentialStore credentials, RotationStore rotations, AuditTrail trail, InstantSource clock) {
    return new FirstUse(credentials, rotations, trail, clock);
  }

  @Bean
  Authenticator authenticator(
      CredentialStore credentials,
      RevocationStore revocations,
      CompromisedKeyStore compromised,
      FirstUse firstUse,
      CredentialUses uses,
      InstantSource clock) {
    return new Authenticator(credentials, revocations, compromised, firstUse, uses::note, clock);
  }

  @Bean
  OidcTokens oidcTokens(
      CaProperties properties, CredentialStore credentials, AuditTrail trail, InstantSource clock) {
    return new OidcTokens(properties.oidc(), credentials::list, trail::record, clock);
  }

  @Bean
  StandingGrants standingGrants(CaProperties properties, CredentialStore credentials) {
    return new StandingGrants(properties.oidc(), credentials);
  }

  @Bean
  CertificateAuthenticator holders(
      Ledger ledger, CredentialStore credentials, InstantSource clock) {
    return new CertificateAuthenticator(ledger, credentials, clock);
  }
}
