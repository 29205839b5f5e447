package org.sluiceca.api.wiring.blocked;

import java.net.InetAddress;
import java.util.List;
import org.sluiceca.api.blocked.BlockedWatch;
import org.sluiceca.api.blocked.KnownCompromisedKeys;
import org.sluiceca.api.blocked.ReservedNameSource;
import org.sluiceca.api.issuer.service.IssuerRegistry;
import org.sluiceca.api.ledger.LedgerDatabase;
import org.sluiceca.api.ledger.blocked.CompromisedKeyStore;
import org.sluiceca.api.ledger.blocked.NodeNameStore;
import org.sluiceca.api.ledger.blocked.SameKeyCertificates;
import org.sluiceca.api.wiring.CaProperties;
import org.sluiceca.api.wiring.tls.TlsConfiguration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Builds what this node knows of names and keys that are not certified. */
@Configuration(proxyBeanMethods = false)
public class BlockedConfiguration {

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

  @Bean(initMethod = "start", destroyMethod = "close")
  BlockedWatch blockedWatch(ReservedNameSource reserved, KnownCompromisedKeys compromised) {
    return new BlockedWatch(List.of(reserved::look, compromised::look));
  }
}
