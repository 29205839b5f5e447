package org.sluiceca.api.registration.store;

import io.micrometer.core.instrument.MeterRegistry;

/**
 * Counts the states that requests come into, by endpoint: each once, by the node whose statement
 * made it so. Thread-safe; does not block.
 */
public final class RequestCounts {

  private static final String NAME = "ca.registration.requests";

  private final MeterRegistry registry;

  /** Counts in {@code registry}. */
  public RequestCounts(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Counts one; {@code reason} is empty unless the request was refused. */
  void count(String endpoint, String state, String reason) {
    registry.counter(NAME, "endpoint", endpoint, "state", state, "reason", reason).increment();
  }
}
