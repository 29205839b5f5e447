package org.sluiceca.api.wiring;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.sluiceca.api.auth.Authenticator;
import org.sluiceca.api.auth.CertificateAuthenticator;
import org.sluiceca.api.issuer.ActiveIssuers;
import org.sluiceca.api.issuer.StatusIssuers;
import org.sluiceca.api.ledger.CommitObserver;
import org.sluiceca.api.ledger.CredentialStore;
import org.sluiceca.api.ledger.IssuerStore;
import org.sluiceca.api.ledger.LedgerDatabase;
import org.sluiceca.api.ledger.LedgerUpkeep;
import org.sluiceca.api.ledger.PostgresLedgerStore;
import org.sluiceca.api.ledger.blocked.CompromisedKeyStore;
import org.sluiceca.api.profile.version.VersionRules;
import org.sluiceca.api.renewal.RenewalProofs;
import org.sluiceca.api.renewal.ServiceUrl;
import org.sluiceca.api.wiring.ocsp.ResponderKeys;
import org.sluiceca.core.der.KeyFingerprint;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.revoke.RevocationStore;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.verify.SignatureVerifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Opens the database and what is kept in it. */
@Configuration(proxyBeanMethods = false)
public class LedgerConfiguration {

  @Bean(destroyMethod = "close")
  LedgerDatabase database(CaProperties properties) {
    CaProperties.Database database = properties.database();
    LedgerDatabase opened =
        new LedgerDatabase(
            new LedgerDatabase.Address(
                database.url(),
                database.user(),
                database.passwordFile(),
                LedgerDatabase.Owner.of(
                    database.migrationUser(), database.migrationPasswordFile())));
    opened.migrate();
    return opened;
  }

  @Bean(destroyMethod = "close")
  PostgresLedgerStore ledgerStore(LedgerDatabase database, Ticker ticker, CommitObserver observer) {
    return new PostgresLedgerStore(database, LineConfiguration.CLAIM_LIFETIME, observer, ticker);
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  LedgerUpkeep ledgerUpkeep(LedgerDatabase database) {
    return new LedgerUpkeep(database);
  }

  @Bean
  CommitObserver commits(MeterRegistry registry) {
    DistributionSummary batch =
        DistributionSummary.builder("ca.db.commit.batch.size").register(registry);
    Timer duration = Timer.builder("ca.db.commit.duration").register(registry);
    return (rows, nanos) -> {
      batch.record(rows);
      duration.record(nanos, TimeUnit.NANOSECONDS);
    };
  }

  @Bean
  IssuerStore issuerStore(LedgerDatabase database) {
    return new IssuerStore(database);
  }

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
