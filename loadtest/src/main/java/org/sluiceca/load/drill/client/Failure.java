package org.sluiceca.load.drill.client;

import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a client saw go wrong, for which no Retry-After made up.
 *
 * @param at when the client knew
 */
public record Failure(Instant at, String what) {

  /** The first of them for the end of a line; nothing if there are none. */
  public static String list(List<Failure> failures, int limit) {
    String text =
        failures.stream().limit(limit).map(Failure::toString).collect(Collectors.joining("; "));
    return text.isEmpty() ? "" : ": " + text;
  }

  @Override
  public String toString() {
    return at + " " + what;
  }
}
