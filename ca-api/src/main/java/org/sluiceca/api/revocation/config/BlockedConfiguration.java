package org.sluiceca.api.revocation.config;

import java.net.InetAddress;
import java.time.Duration;
import org.sluiceca.api.config.CaProperties;
import org.sluiceca.api.issuer.service.IssuerRegistry;
import org.sluiceca.api.platform.PeriodicTask;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.tls.config.TlsConfiguration;
import org.sluiceca.api.revocation.blocked.KnownCompromisedKeys;
import org.sluiceca.api.revocation.blocked.ReservedNameSource;
import org.sluiceca.api.revocation.store.CompromisedKeyStore;
import org.sluiceca.api.revocation.store.NodeNameStore;
import org.sluiceca.api.revocation.store.SameKeyCertificates;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Builds what this node knows of names and keys that are not certified. */
@Configuration(proxyBeanMethods = false)
public class BlockedConfiguration {

  /** A few look-ups by index; what they find is refused early here from then on. */
  private static final Duration PERIOD = Duration.ofSeconds(5);

  @Bean
  ReservedNameSource reservedNames(
      LedgerDatabase database,
      IssuerRegistry registry,
      CaProperties properties,
      @Value("${server.address}") InetAddress address) {
    // Before anything is planned: the node's own certificate is the first.
    registry.look();
    return new ReservedNameSource(
        new NodeNameStore(database),
        registry::rows,
        properties.nodeName(),
        TlsConfiguration.nodeNames(properties, address));
  }

  @Bean
  CompromisedKeyStore compromisedKeyStore(LedgerDatabase database) {
    return new CompromisedKeyStore(database);
  }

  @Bean
  SameKeyCertificates sameKeyCertificates(LedgerDatabase database) {
    return new SameKeyCertificates(database);
  }

  @Bean
  KnownCompromisedKeys compromisedKeys(CompromisedKeyStore store) {
    return new KnownCompromisedKeys(store);
  }

  /**
   * Reads what other nodes have recorded about names and keys that are not certified: once now, for
   * a node that does not know what is reserved must not begin to issue, and then regularly.
   *
   * @throws org.sluiceca.core.failure.CaUnavailable if the database does not answer
   */
  @Bean(initMethod = "start", destroyMethod = "close")
  PeriodicTask blockedTask(ReservedNameSource reserved, KnownCompromisedKeys compromised) {
    reserved.look();
    compromised.look();
    return new PeriodicTask(
        new PeriodicTask.Terms(
            KnownCompromisedKeys.class,
            "blocked-watch",
            "reserved names and compromised keys are not read",
            PERIOD,
            PERIOD,
            Duration.ZERO),
        isStopping -> {
          reserved.look();
          compromised.look();
          return PERIOD;
        });
  }
}
