package org.sluiceca.api.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.route.GroupObserver;
import org.sluiceca.hsm.route.TokenStatus;

/**
 * The tokens, as docs/OPERATIONS.md names their metrics, and what of them is logged. Meters come
 * and go with their token.
 */
public final class HsmMetrics implements GroupObserver {

  private static final Logger LOG = LoggerFactory.getLogger(HsmMetrics.class);

  private final MeterRegistry registry;
  private final ConcurrentMap<String, TokenMeters> tokens = new ConcurrentHashMap<>();

  /** Why a token is away, as it was last said: it is tried every few seconds. */
  private final ConcurrentMap<String, String> awayBecause = new ConcurrentHashMap<>();

  /** Feeds {@code registry}. */
  public HsmMetrics(MeterRegistry registry) {
    this.registry = registry;
    // A rate over a counter that comes with its first event does not see that event.
    tokensFile(true);
    tokensFile(false);
  }

  /** Registers the gauges over the line's admission. */
  public void watch(Admission admission) {
    Gauge.builder("ca.line.places.taken", admission, a -> a.occupancy().inFlight())
        .register(registry);
    Gauge.builder("ca.line.places", admission, a -> a.occupancy().placesMax()).register(registry);
  }

  /**
   * Registers the bounds that stand around a call in a token.
   *
   * @param claim how long a node may finish an intent that it recorded before others do
   * @param signature when, from the claim's beginning, its signature has to be there
   */
  public void deadlines(Duration claim, Duration signature) {
    deadline("claim", claim);
    deadline("signature", signature);
  }

  private void deadline(String wait, Duration bound) {
    double seconds = bound.toNanos() / 1e9;
    Gauge.builder("ca.deadline.seconds", () -> seconds)
        .strongReference(true)
        .tag("wait", wait)
        .register(registry);
  }

  /** The tokens file was changed, and applied or refused. */
  public void tokensFileRead(boolean isApplied) {
    tokensFile(isApplied).increment();
  }

  private Counter tokensFile(boolean isApplied) {
    return Counter.builder("ca.hsm.tokens.file")
        .tag("result", isApplied ? "applied" : "refused")
        .register(registry);
  }

  @Override
  public HsmObserver added(String token, Supplier<TokenStatus> standing) {
    return tokens.computeIfAbsent(token, name -> new TokenMeters(registry, name, standing));
  }

  @Override
  public void joined(String token) {
    awayBecause.remove(token);
    LOG.info("token {} is open", token);
  }

  @Override
  public void away(String token, HsmException why) {
    String message = String.valueOf(why.getMessage());
    if (!message.equals(awayBecause.put(token, message))) {
      LOG.error("token {} cannot be opened and is tried again: {}", token, message);
    }
  }

  @Override
  public void left(String token) {
    awayBecause.remove(token);
    TokenMeters meters = tokens.remove(token);
    if (meters != null) {
      meters.close();
    }
    LOG.info("token {} has left", token);
  }

  @Override
  public void keyMismatch(String token, KeyRef key) {
    LOG.error(
        "ALARM: token {} has another key than expected under CKA_ID {}; it never signs with it",
        token,
        key.id());
    count(token, m -> m.count("ca.hsm.key.mismatch", Tags.empty()));
  }

  @Override
  public void failedOver(String to, HsmException why) {
    count(to, m -> m.count("ca.hsm.failover", Tags.empty()));
  }

  private void count(String token, Consumer<TokenMeters> what) {
    TokenMeters meters = tokens.get(token);
    if (meters != null) {
      what.accept(meters);
    }
  }
}
