package org.sluiceca.api.blocked;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.sluiceca.api.ledger.blocked.CompromisedKeyStore;
import org.sluiceca.api.ledger.blocked.CompromisedKeyStore.Recorded;
import org.sluiceca.core.csr.CompromisedKeys;
import org.sluiceca.core.der.KeyFingerprint;

/**
 * The compromised keys that this node has read, so that step 3 refuses them without asking the
 * database. What it does not hold, step 5 finds. Thread-safe; only {@link #look} blocks.
 */
public final class KnownCompromisedKeys implements CompromisedKeys {

  /** Some 150 octets each: 3 MB. Keys beyond are refused in step 5, which costs a statement. */
  static final int KEYS_MAX = 20_000;

  /** A key's time is that of its transaction's beginning, which lasts 10 s at most. */
  private static final Duration OVERLAP = Duration.ofMinutes(1);

  private final CompromisedKeyStore store;
  private final Set<KeyFingerprint> known = ConcurrentHashMap.newKeySet();

  // Of the one thread that looks.
  private Instant newest = Instant.EPOCH;

  /** Knows none until it looks. */
  public KnownCompromisedKeys(CompromisedKeyStore store) {
    this.store = store;
  }

  /**
   * Reads what was recorded since the last look; by one thread at a time.
   *
   * @throws org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable if the database does not
   *     answer: what is known stays
   */
  public void look() {
    List<Recorded> recorded = store.since(newest.minus(OVERLAP), KEYS_MAX);
    for (Recorded key : recorded) {
      if (known.size() < KEYS_MAX) {
        known.add(key.key());
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
