package org.sluiceca.api.hsm.config;

import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.audit.config.AuditKey;
import org.sluiceca.api.config.CaProperties;
import org.sluiceca.api.hsm.lease.LeaseLoop;
import org.sluiceca.api.hsm.lease.WindowSettings;
import org.sluiceca.api.hsm.lease.store.CalibrationStore;
import org.sluiceca.api.hsm.lease.store.PostgresLeaseStore;
import org.sluiceca.api.hsm.token.SharingOpener;
import org.sluiceca.api.hsm.token.TokenDefaults;
import org.sluiceca.api.hsm.token.TokenEntry;
import org.sluiceca.api.hsm.token.TokensFile;
import org.sluiceca.api.hsm.token.TokensWatch;
import org.sluiceca.api.issuer.ActiveIssuers;
import org.sluiceca.api.issuer.StatusIssuers;
import org.sluiceca.api.observe.HsmMetrics;
import org.sluiceca.api.observe.LimiterMetrics;
import org.sluiceca.api.ocsp.ResponderKeys;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.route.TokenGroup;
import org.sluiceca.hsm.route.TokenSettings;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Opens the tokens that the configuration names, and has the node share them with others. */
@Configuration(proxyBeanMethods = false)
public class HsmConfiguration {

  /** Tokens are opened before the loop is made, and are not shared until it runs. */
  private final AtomicReference<@Nullable LeaseLoop> loop = new AtomicReference<>();

  /**
   * The tokens as the configuration names them at the start.
   *
   * @param watched whether they follow a file while the node runs
   */
  public record Configured(List<TokenSettings> tokens, @Nullable Watched watched) {

    /** A file and what it held. */
    // A record holding an array is never compared; it lives until the node has started.
    @SuppressWarnings("ArrayRecordComponent")
    record Watched(TokensFile file, byte[] content) {}

    public Set<String> labels() {
      return tokens.stream().map(t -> t.hsm().tokenLabel()).collect(Collectors.toUnmodifiableSet());
    }
  }

  @Bean
  Configured configuredTokens(CaProperties properties) {
    CaProperties.Hsm hsm = properties.hsm();
    TokenDefaults defaults =
        new TokenDefaults(hsm.sessions(), hsm.queueCapacity(), hsm.callTimeout(), hsm.isolated());
    int places = properties.line().places();
    Path path = hsm.tokensFile();
    if (path != null) {
      if (hsm.module() != null
          || hsm.tokenLabel() != null
          || hsm.pinFile() != null
          || !hsm.vendor().isEmpty()) {
        throw new IllegalArgumentException(
            "sluice.hsm.tokens-file and a single token (sluice.hsm.module, token-label, pin-file,"
                + " vendor) are both given: name the tokens in one place");
      }
      TokensFile file = new TokensFile(path, defaults, places);
      byte[] content = file.bytes();
      return new Configured(file.parse(content), new Configured.Watched(file, content));
    }
    if (places > hsm.queueCapacity()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "sluice.line.places %d exceeds sluice.hsm.queue-capacity %d: promises would find the lane full",
              places,
              hsm.queueCapacity()));
    }
    return new Configured(List.of(alone(hsm, defaults)), null);
  }

  private static TokenSettings alone(CaProperties.Hsm hsm, TokenDefaults defaults) {
    @Nullable String vendor = hsm.vendor().isEmpty() ? null : hsm.vendor();
    TokenEntry entry =
        TokenEntry.of(SharingOpener.ALONE, hsm.module(), hsm.tokenLabel(), hsm.pinFile(), vendor);
    try {
      return entry.settings(defaults);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("sluice.hsm: " + e.getMessage(), e);
    }
  }

  @Bean(destroyMethod = "close")
  TokenGroup tokens(
      Configured configured,
      CaProperties properties,
      ActiveIssuers active,
      StatusIssuers status,
      AuditKey auditKey,
      ResponderKeys responders,
      SharingOpener opener,
      HsmMetrics metrics) {
    Set<KeyRef> keys = new HashSet<>(auditKey.with(status.keys()));
    keys.addAll(responders.byIssuer().values());
    return TokenGroup.open(
        new TokenGroup.Setup(
            opener, keys, active.requiredKeys(), properties.hsm().region(), metrics),
        configured.tokens());
  }

  /** Nothing to watch where a single token is configured. */
  @Bean(destroyMethod = "close")
  AutoCloseable tokensWatch(Configured configured, TokenGroup tokens, HsmMetrics metrics) {
    Configured.Watched watched = configured.watched();
    if (watched == null) {
      return () -> {};
    }
    TokensWatch watch =
        new TokensWatch(
            watched.file(), watched.content(), tokens::reconfigure, metrics::tokensFileRead);
    watch.start();
    return watch;
  }

  @Bean
  SharingOpener opener(CaProperties properties, LedgerDatabase database, MeterRegistry registry) {
    CaProperties.Hsm hsm = properties.hsm();
    LimiterMetrics metrics = new LimiterMetrics(registry);
    return new SharingOpener(
        new WindowSettings("", hsm.window(), hsm.sessions(), hsm.deviceQueue(), hsm.nodesMax()),
        new CalibrationStore(database)::find,
        (token, identity, window) ->
            metrics.watch(
                token,
                window,
                () -> Optional.ofNullable(loop.get()).flatMap(l -> l.status(identity))));
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  LeaseLoop leaseLoop(
      SharingOpener opener, CaProperties properties, LedgerDatabase database, SecureRandom random) {
    // A restarted node is another one: the grants of its former self still count.
    String node = properties.nodeName() + "." + Long.toHexString(random.nextLong());
    LeaseLoop made = new LeaseLoop(opener::shared, node, new PostgresLeaseStore(database));
    loop.set(made);
    return made;
  }
}
