package org.sluiceca.hsm.pkcs11;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Who works with tokens of one module in this process: who has lost its own token must not
 * initialise the module again under those that sign. Thread-safe.
 */
public final class ModuleUsers {
  /** A sibling that has signed so recently has the token, and will go on. */
  private static final long RECENT_NANOS = Duration.ofSeconds(2).toNanos();

  private final ConcurrentMap<Object, Use> users = new ConcurrentHashMap<>();

  /**
   * How a user works with the module; both must answer at once.
   *
   * @param token the label of its token
   * @param isThere whether it thinks that its token is there
   * @param signedNanos when its token last signed, on {@link System#nanoTime}'s scale
   */
  public record Use(String token, BooleanSupplier isThere, LongSupplier signedNanos) {}

  /** {@code user} works with the module until it leaves. */
  public void join(Object user, Use use) {
    users.put(user, use);
  }

  /** {@code user} is done. */
  public void leave(Object user) {
    users.remove(user);
  }

  /**
   * Whether anybody but {@code user} works. Of another token that it is thought to be there is
   * enough. Who has the same token and does nothing would not know of its loss: that one counts if
   * it has signed since, a moment ago.
   *
   * @param lostNanos when {@code user} lost its token
   */
  public boolean areOthersWorking(Object user, long lostNanos, long now) {
    Use own = users.get(user);
    for (var other : users.entrySet()) {
      Use use = other.getValue();
      if (!other.getKey().equals(user)
          && use.isThere().getAsBoolean()
          && (own == null || !use.token().equals(own.token()) || hasSigned(use, lostNanos, now))) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasSigned(Use use, long lostNanos, long now) {
    long signed = use.signedNanos().getAsLong();
    return signed - lostNanos > 0 && now - signed < RECENT_NANOS;
  }
}
