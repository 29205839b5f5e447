package org.sluiceca.core.csr;

import org.sluiceca.core.der.KeyFingerprint;

/**
 * Keys that revocations reported as compromised, as this node knows them: the early answer. What it
 * does not know yet, step 5 finds. Thread-safe; must not block.
 */
@FunctionalInterface
public interface CompromisedKeys {

  /** Knows of none. */
  CompromisedKeys NONE = key -> false;

  /** Returns whether the key is known to be compromised. */
  boolean contains(KeyFingerprint key);
}
