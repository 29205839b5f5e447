package org.sluiceca.api.revocation.config;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.config.CaProperties;
import org.sluiceca.api.hsm.HsmIssuerSigner;
import org.sluiceca.api.issuer.ActiveIssuers;
import org.sluiceca.api.issuer.StatusIssuers;
import org.sluiceca.api.platform.change.ChangeWatch;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.revocation.bulk.BulkRevocationLoop;
import org.sluiceca.api.revocation.bulk.BulkRevocations;
import org.sluiceca.api.revocation.bulk.store.BulkBatches;
import org.sluiceca.api.revocation.bulk.store.BulkCount;
import org.sluiceca.api.revocation.bulk.store.BulkJobStore;
import org.sluiceca.api.revocation.crl.CrlFolder;
import org.sluiceca.api.revocation.crl.CrlLoop;
import org.sluiceca.api.revocation.crl.CrlMetrics;
import org.sluiceca.api.revocation.crl.CrlSettings;
import org.sluiceca.api.revocation.crl.OfferedCrls;
import org.sluiceca.api.revocation.store.MaybeSignedSweep;
import org.sluiceca.api.revocation.store.PostgresCrlStore;
import org.sluiceca.api.revocation.store.PostgresRevocationStore;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.crl.CrlIssuance;
import org.sluiceca.core.crl.CrlSpacing;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.revoke.Revoker;
import org.sluiceca.core.sign.KeyName;
import org.sluiceca.core.time.ClockSkew;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.verify.SignatureVerifier;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.route.TokenGroup;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Builds revocation and the line of CRLs. */
@Configuration(proxyBeanMethods = false)
public class RevocationConfiguration {

  private static final Logger LOG = LoggerFactory.getLogger(RevocationConfiguration.class);

  @Bean
  PostgresRevocationStore revocations(LedgerDatabase database) {
    return new PostgresRevocationStore(database);
  }

  /** A certificate that this node revokes is put on a CRL by this node, at once. */
  @Bean
  Revoker revoker(
      PostgresRevocationStore revocations,
      InstantSource clock,
      EventSink events,
      CrlLoop crls,
      ClockSkew skew) {
    return new Revoker(revocations, clock, toldTo(events, crls), skew);
  }

  private static EventSink toldTo(EventSink events, CrlLoop crls) {
    return event -> {
      events.accept(event);
      crls.accept(event);
    };
  }

  @Bean
  BulkJobStore bulkJobs(LedgerDatabase database) {
    return new BulkJobStore(database);
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  BulkRevocationLoop bulkRevocationLoop(
      LedgerDatabase database,
      BulkJobStore jobs,
      AuditTrail trail,
      EventSink events,
      CrlLoop crls,
      CaProperties properties,
      ChangeWatch changes) {
    BulkRevocationLoop loop =
        new BulkRevocationLoop(
            jobs,
            new BulkBatches(database, properties.nodeName(), BulkRevocationLoop.LEASE),
            trail,
            toldTo(events, crls),
            properties.nodeName());
    loop.restUntilChanged(changes);
    return loop;
  }

  @Bean
  BulkRevocations bulkRevocations(
      LedgerDatabase database, BulkJobStore jobs, AuditTrail trail, BulkRevocationLoop loop) {
    return new BulkRevocations(new BulkCount(database), jobs, trail, loop);
  }

  /** The CRLs of the issuers whose keys this node has to hold; of others, other nodes. */
  @Bean
  PostgresCrlStore crlStore(
      LedgerDatabase database, ActiveIssuers active, CaProperties properties) {
    PostgresCrlStore store =
        new PostgresCrlStore(database, properties.crl().terms().deltas().isPresent());
    int shards = properties.crl().shards();
    for (KeyName key : active.required()) {
      IssuerName issuer = new IssuerName(key.value());
      store.open(new CrlScope(issuer, 0));
      for (int shard = 1; shards > 1 && shard <= shards; shard++) {
        store.open(new CrlScope(issuer, shard));
      }
    }
    return store;
  }

  @Bean
  CrlFolder crlFolder(CaProperties properties) throws IOException {
    return new CrlFolder(properties.stateDir().resolve("crl"), properties.crl().directory());
  }

  @Bean
  OfferedCrls offeredCrls(StatusIssuers status, CaProperties properties) {
    CrlSettings settings = properties.crl();
    return new OfferedCrls(
        status.catalog(), settings.shards(), settings.terms().deltas().isPresent());
  }

  @Bean
  CrlIssuance crlIssuance(
      PostgresCrlStore store,
      TokenGroup tokens,
      StatusIssuers status,
      SignatureVerifier signatures,
      EventSink events,
      Ticker ticker,
      ClockSkew skew) {
    return new CrlIssuance(
        store,
        new HsmIssuerSigner(tokens, status.keys()),
        new PostSignCheck(status.catalog()::publicKey, signatures),
        events,
        ticker,
        skew);
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  CrlLoop crls(
      CrlLoop.Parts parts,
      CaProperties properties,
      MeterRegistry registry,
      SecureRandom random,
      Ticker ticker,
      ChangeWatch changes) {
    CrlSettings settings = properties.crl();
    CrlLoop loop = new CrlLoop(parts, settings.terms(), new CrlMetrics(registry), random, ticker);
    loop.restUntilChanged(changes);
    return loop;
  }

  @Bean
  CrlLoop.Parts crlParts(
      PostgresCrlStore store,
      CrlIssuance issuance,
      StatusIssuers status,
      CrlFolder folder,
      Predicate<IssuerName> crlSigner,
      TokenGroup tokens,
      MaybeSignedSweep sweep,
      CaProperties properties) {
    return new CrlLoop.Parts(
        store,
        issuance,
        status.catalog(),
        crlSigner,
        issuer -> signer(status, tokens, issuer),
        folder,
        () -> {
          int swept = sweep.sweep();
          if (swept > 0) {
            LOG.warn("revoked {} serial numbers that were given up and may be signed", swept);
          }
        },
        properties.nodeName());
  }

  private static Optional<CrlSpacing.Signer> signer(
      StatusIssuers status, TokenGroup tokens, IssuerName issuer) {
    KeyRef key = status.keys().get(KeyName.of(issuer));
    if (key == null) {
      return Optional.empty();
    }
    Mechanism mechanism = HsmIssuerSigner.signatureClass(key.publicKey()).mechanism();
    String engines =
        tokens.engines(key, mechanism).stream()
            .map(each -> each.token() + "#" + each.group())
            .sorted()
            .collect(Collectors.joining("+"));
    return engines.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new CrlSpacing.Signer(engines, Duration.ofNanos(tokens.occupiedNanos(key, mechanism))));
  }

  @Bean
  MaybeSignedSweep maybeSignedSweep(LedgerDatabase database, PostgresRevocationStore revocations) {
    return new MaybeSignedSweep(database, revocations);
  }

  @Bean
  Predicate<IssuerName> crlSigner(StatusIssuers status, TokenGroup tokens) {
    return issuer -> {
      KeyRef key = status.keys().get(KeyName.of(issuer));
      return key != null && tokens.isUsable() && tokens.holds(key);
    };
  }
}
