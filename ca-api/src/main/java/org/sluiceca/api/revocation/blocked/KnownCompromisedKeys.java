package org.sluiceca.api.revocation.blocked;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.sluiceca.api.revocation.store.CompromisedKeyStore;
import org.sluiceca.api.revocation.store.CompromisedKeyStore.Recorded;
import org.sluiceca.core.csr.CompromisedKeys;
import org.sluiceca.core.der.KeyFingerprint;

/**
 * The compromised keys that this node has read, so that step 3 refuses them without asking the
 * database: the newest 20,000. What it does not hold, step 5 finds. Thread-safe; only {@link #look}
 * blocks.
 */
public final class KnownCompromisedKeys implements CompromisedKeys {

  /** Some 200 octets each: 4 MB. Older keys are refused in step 5, which costs a statement. */
  static final int KEYS_MAX = 20_000;

  private final Source source;
  private final int keysMax;
  private final Set<KeyFingerprint> known = ConcurrentHashMap.newKeySet();

  // Of the one thread that looks: what is known, the oldest first.
  private final Deque<KeyFingerprint> byAge = new ArrayDeque<>();
  private Instant newest = Instant.EPOCH;

  /** Where the keys are read: {@link CompromisedKeyStore#since}. */
  @FunctionalInterface
  interface Source {

    /** Returns at most {@code max} keys recorded since, the newest first. */
    List<Recorded> since(Instant newest, int max);
  }

  /** Knows none until it looks. */
  public KnownCompromisedKeys(CompromisedKeyStore store) {
    this(store::since, KEYS_MAX);
  }

  KnownCompromisedKeys(Source source, int keysMax) {
    this.source = source;
    this.keysMax = keysMax;
  }

  /**
   * Reads what was recorded since the last look; by one thread at a time.
   *
   * @throws org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable if the database does not
   *     answer: what is known stays
   */
  public void look() {
    List<Recorded> recorded = source.since(newest, keysMax);
    for (Recorded key : recorded.reversed()) {
      if (known.add(key.key())) {
        byAge.add(key.key());
      }
      if (byAge.size() > keysMax) {
        known.remove(byAge.remove());
      }
    }
    if (!recorded.isEmpty()) {
      newest = recorded.getFirst().at();
    }
  }

  @Override
  public boolean contains(KeyFingerprint key) {
    return known.contains(key);
  }
}
