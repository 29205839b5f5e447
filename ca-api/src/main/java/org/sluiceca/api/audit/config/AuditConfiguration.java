package org.sluiceca.api.audit.config;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.checkpoint.CheckpointFiles;
import org.sluiceca.api.audit.checkpoint.CheckpointLoop;
import org.sluiceca.api.audit.export.AuditExports;
import org.sluiceca.api.audit.store.AuditKeyStore;
import org.sluiceca.api.audit.store.AuditPages;
import org.sluiceca.api.audit.store.AuditStore;
import org.sluiceca.api.audit.store.PostgresCheckpointStore;
import org.sluiceca.api.config.CaProperties;
import org.sluiceca.api.hsm.HsmIssuerSigner;
import org.sluiceca.api.observe.AuditMetrics;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.audit.ChainHead;
import org.sluiceca.core.audit.Checkpoints;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.verify.SignatureVerifier;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.route.TokenGroup;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Begins the node's chain, and has checkpoints taken where there is a key for them. */
@Configuration(proxyBeanMethods = false)
public class AuditConfiguration {

  private static final Logger LOG = LoggerFactory.getLogger(AuditConfiguration.class);

  /** In the node's state directory, unless the configuration names another. */
  private static final String DIRECTORY = "audit";

  /** The part of a chain's name that distinguishes a start: a dot and 16 digits. */
  private static final int START_LENGTH = 17;

  /** The components that the checkpoints need. */
  record Signing(TokenGroup tokens, AuditKey key, SignatureVerifier signatures) {}

  @Bean
  AuditKey auditKey(LedgerDatabase database) {
    return AuditKey.of(new AuditKeyStore(database).find());
  }

  @Bean
  Signing auditSigning(TokenGroup tokens, AuditKey key, SignatureVerifier signatures) {
    return new Signing(tokens, key, signatures);
  }

  @Bean(destroyMethod = "close")
  NodeAudit nodeAudit(
      CaProperties properties,
      LedgerDatabase database,
      Signing signing,
      IssuerCatalog issuers,
      ProfileCatalog profiles,
      MeterRegistry registry,
      InstantSource clock,
      SecureRandom random)
      throws IOException {
    AuditTrail trail =
        new AuditTrail(
            chain(properties.nodeName(), random), new AuditStore(database)::append, clock);
    Optional<CheckpointLoop> loop =
        signing.key().isPresent()
            ? Optional.of(loop(properties, database, signing, trail, clock))
            : Optional.empty();
    NodeAudit audit = new NodeAudit(trail, loop);
    new AuditMetrics(registry).watch(trail, loop, () -> isKeyHere(signing));
    audit.start(
        NodeStart.started(properties, signing.key().isPresent()),
        NodeStart.active(issuers, profiles));
    if (!signing.key().isPresent()) {
      LOG.warn("no audit key: the audit trail is written, but no checkpoint of it is signed");
    } else if (!isKeyHere(signing)) {
      LOG.warn("the audit key is in no token of this node: others must sign checkpoints");
    }
    return audit;
  }

  /** Closed with the node's part as a whole. */
  @Bean(destroyMethod = "")
  AuditTrail auditTrail(NodeAudit audit) {
    return audit.trail();
  }

  @Bean
  AuditExports auditExports(LedgerDatabase database) {
    return new AuditExports(new AuditPages(database), database.limits().statement());
  }

  private static CheckpointLoop loop(
      CaProperties properties,
      LedgerDatabase database,
      Signing signing,
      AuditTrail trail,
      InstantSource clock)
      throws IOException {
    AuditKey key = signing.key();
    Path directory = properties.audit().directory();
    return new CheckpointLoop(
        new Checkpoints(
            new Checkpoints.Steps(
                trail::head,
                new PostgresCheckpointStore(database),
                new HsmIssuerSigner(signing.tokens(), key.byName()),
                new PostSignCheck(key::publicKey, signing.signatures()),
                clock)),
        new CheckpointFiles(
            directory == null ? properties.stateDir().resolve(DIRECTORY) : directory),
        properties.audit().checkpointPeriod(),
        () -> isKeyHere(signing));
  }

  private static boolean isKeyHere(Signing signing) {
    Optional<KeyRef> key = signing.key().reference();
    return key.isPresent() && signing.tokens().holds(key.get());
  }

  /** A restarted node begins another chain: it never continues one that may have been changed. */
  static String chain(String node, SecureRandom random) {
    String name = node.replaceAll("[^!-~]", "_");
    return name.substring(0, Math.min(name.length(), ChainHead.NAME_MAX - START_LENGTH))
        + String.format(Locale.ROOT, ".%016x", random.nextLong());
  }
}
