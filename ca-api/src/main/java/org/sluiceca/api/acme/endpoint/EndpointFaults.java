package org.sluiceca.api.acme.endpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The faults of one file, so that its author sees all of them at once. Not thread-safe: owned by
 * the thread that reads the file.
 */
final class EndpointFaults {

  /** More than a person repairs before the next attempt. */
  static final int FAULTS_MAX = 20;

  private final List<String> faults = new ArrayList<>();
  private int more;

  void add(String fault) {
    if (faults.size() < FAULTS_MAX) {
      faults.add(fault);
    } else {
      more++;
    }
  }

  /** Returns what {@code maker} makes; empty if it refuses, which is a fault then. */
  <T> Optional<T> attempt(Supplier<T> maker) {
    try {
      return Optional.of(maker.get());
    } catch (IllegalArgumentException e) {
      add(String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  boolean isEmpty() {
    return faults.isEmpty();
  }

  InvalidEndpoint refusal() {
    List<String> all = new ArrayList<>(faults);
    if (more > 0) {
      all.add(String.format(Locale.ROOT, "%d more", more));
    }
    return new InvalidEndpoint(all);
  }
}
