package org.sluiceca.hsm.pkcs11;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BooleanSupplier;

/**
 * Who works with tokens of one module in this process: who has lost its own token must not
 * initialise the module again under those that sign. Thread-safe.
 */
public final class ModuleUsers {
  private final ConcurrentMap<Object, BooleanSupplier> users = new ConcurrentHashMap<>();

  /**
   * {@code user} works with the module until it leaves.
   *
   * @param isWorking whether its token is there; must return at once
   */
  public void join(Object user, BooleanSupplier isWorking) {
    users.put(user, isWorking);
  }

  /** {@code user} is done. */
  public void leave(Object user) {
    users.remove(user);
  }

  /** Whether the token of anybody but {@code user} is there. */
  public boolean areOthersWorking(Object user) {
    return users.entrySet().stream()
        .filter(e -> !e.getKey().equals(user))
        .map(Map.Entry::getValue)
        .anyMatch(BooleanSupplier::getAsBoolean);
  }
}
