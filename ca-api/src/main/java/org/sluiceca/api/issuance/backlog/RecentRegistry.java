package org.sluiceca.api.issuance.backlog;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.sluiceca.api.issuance.RecoveryDecider;
import org.sluiceca.core.der.KeyFingerprint;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.time.Ticker;

/**
 * A registry that is asked once a second about each origin: thousands of orders have the same. Not
 * thread-safe: the loop of the backlog owns it.
 */
public final class RecentRegistry implements RecoveryDecider.Registry {

  private static final long KEPT_NANOS = Duration.ofSeconds(1).toNanos();

  /** A batch has 64 origins at most. */
  private static final int ORIGINS_MAX = 256;

  private final RecoveryDecider.Registry registry;
  private final Ticker ticker;
  private final Map<Intent.Origin, Boolean> active = new HashMap<>();
  private final Map<Intent.Origin, Boolean> allowed = new HashMap<>();
  private long keptSinceNanos;

  /** Remembers what {@code registry} says. */
  public RecentRegistry(RecoveryDecider.Registry registry, Ticker ticker) {
    this.registry = registry;
    this.ticker = ticker;
    this.keptSinceNanos = ticker.nanoTime();
  }

  @Override
  public boolean isKnownHere(Intent.Origin origin) {
    return registry.isKnownHere(origin);
  }

  @Override
  public boolean isIssuerActive(Intent.Origin origin) {
    return ask(active, origin, registry::isIssuerActive);
  }

  /** Asked only of what seems to be at fault. */
  @Override
  public boolean isIssuerAsStored(Intent.Origin origin) {
    return registry.isIssuerAsStored(origin);
  }

  /** Never remembered: what was true of no key a moment ago may be true of this one. */
  @Override
  public boolean isKeyCompromised(KeyFingerprint key, RequesterId requester) {
    return registry.isKeyCompromised(key, requester);
  }

  @Override
  public boolean isRequesterAllowed(Intent.Origin origin) {
    return ask(allowed, origin, registry::isRequesterAllowed);
  }

  private boolean ask(
      Map<Intent.Origin, Boolean> answers, Intent.Origin origin, Predicate<Intent.Origin> asked) {
    if (ticker.nanoTime() - keptSinceNanos >= KEPT_NANOS || answers.size() >= ORIGINS_MAX) {
      active.clear();
      allowed.clear();
      keptSinceNanos = ticker.nanoTime();
    }
    return answers.computeIfAbsent(origin, asked::test);
  }
}
