package org.sluiceca.client.http;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * How long a command waits before it asks again, and until when it does. Counts from its making.
 * The service's Retry-After (RFC 9110 10.2.3) is the least; up to a quarter more is added at
 * random, so that clients that were refused together do not come back together.
 */
final class Patience {
  private static final Duration DEFAULT = Duration.ofSeconds(1);
  private static final Duration MAX = Duration.ofSeconds(60);
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,6}");
  private static final int SHARE_ADDED = 4;

  private final long deadlineNanos;
  private final RandomGenerator random;

  Patience(Duration total, RandomGenerator random) {
    this.deadlineNanos = System.nanoTime() + total.toNanos();
    this.random = random;
  }

  /** The pause before the next try; empty if it would end after the deadline. */
  Optional<Duration> pause(HttpHeaders headers) {
    long least = Math.max(DEFAULT.toMillis(), asked(headers).orElse(DEFAULT.toMillis()));
    long pause = least + random.nextLong(least / SHARE_ADDED + 1);
    return pause > left().toMillis() ? Optional.empty() : Optional.of(Duration.ofMillis(pause));
  }

  /** What is left of the time; not negative. */
  Duration left() {
    return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
  }

  private static OptionalLong asked(HttpHeaders headers) {
    String value = headers.firstValue("Retry-After").orElse("").strip();
    if (!SECONDS.matcher(value).matches()) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(Math.min(Long.parseLong(value) * 1000, MAX.toMillis()));
  }
}
