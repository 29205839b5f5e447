package org.sluiceca.hsm;

import java.util.Map;
import java.util.Set;

/**
 * Which keys a token holds, of those that it was asked for.
 *
 * @param held found, with the public key expected
 * @param absent why the others cannot be used: {@link HsmException.KeyMissing} or {@link
 *     HsmException.KeyMismatch}
 */
public record KeyFindings(Set<KeyRef> held, Map<KeyRef, HsmException> absent) {
  /** Copies both. */
  public KeyFindings {
    held = Set.copyOf(held);
    absent = Map.copyOf(absent);
  }
}
