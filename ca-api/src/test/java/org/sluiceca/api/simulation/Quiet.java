package org.sluiceca.api.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** Silences the service's loggers: thousands of worlds warn of millions of planted faults. */
final class Quiet {

  private Quiet() {}

  static void logs() {
    if (LoggerFactory.getLogger("org.sluiceca.api") instanceof Logger logger) {
      logger.setLevel(Level.OFF);
    }
  }
}
