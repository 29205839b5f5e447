package org.sluiceca.mutant.profile;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.logging.Logger;

/** A clock, a thread, a generator and a log of its own. */
final class AsksTheWorld {

  private static final Logger LOG = Logger.getLogger("mutant");

  private AsksTheWorld() {}

  static long ask() {
    LOG.fine(() -> "asked at " + Instant.now());
    Thread.currentThread().interrupt();
    return System.nanoTime() + new SecureRandom().nextLong();
  }
}
