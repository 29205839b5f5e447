package org.sluiceca.api.issuance.store.commit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.sluiceca.core.der.KeyFingerprint;
import org.sluiceca.core.request.RequesterId;

/**
 * The public keys for which intents were refused as compromised, each for its requester. What was
 * reported stays reported, so no entry becomes wrong. Thread-safe; does not block.
 *
 * <p>A row that is refused has its whole batch written a second time, to find out which row it was.
 * Step 3 knows the keys that are compromised for all requesters, not those that a requester has
 * reported of itself: one that kept asking would slow down all others.
 */
public final class RefusedKeys {

  /**
   * Some 200 octets each: 1 MB. Each had a certificate that was revoked: with more of them a
   * requester has spent more signatures than it costs others transactions, and only some of its
   * requests for such keys cause their batch to be written twice.
   */
  private static final int KEYS_MAX = 4_096;

  private record Refused(RequesterId requester, KeyFingerprint key) {}

  private final int keysMax;
  private final RandomGenerator random;
  private final Set<Refused> known = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();

  /** The same, in any order, to choose one at random. */
  @GuardedBy("lock")
  private final List<Refused> all = new ArrayList<>();

  /** Knows none. */
  public RefusedKeys() {
    this(KEYS_MAX, new SecureRandom());
  }

  RefusedKeys(int keysMax, RandomGenerator random) {
    this.keysMax = keysMax;
    this.random = random;
  }

  /** Returns whether an intent of this requester was refused for this key. */
  public boolean contains(RequesterId requester, KeyFingerprint key) {
    return known.contains(new Refused(requester, key));
  }

  /**
   * Adds a key for which an intent of this requester was refused. When full, it replaces a random
   * entry: replacing the oldest would let a requester that cycles through more keys than it holds
   * find none of them.
   */
  public void add(RequesterId requester, KeyFingerprint key) {
    Refused refused = new Refused(requester, key);
    lock.lock();
    try {
      if (!known.add(refused)) {
        return;
      }
      if (all.size() < keysMax) {
        all.add(refused);
      } else {
        known.remove(all.set(random.nextInt(keysMax), refused));
      }
    } finally {
      lock.unlock();
    }
  }
}
