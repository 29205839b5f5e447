package org.sluiceca.client.http;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * How long a command waits before it asks again, and until when it does. Counts from its making.
 * The service's Retry-After (RFC 9110 10.2.3, in seconds) is the least; up to a quarter more is
 * added at random, so that clients that were refused together do not come back together.
 */
final class Patience {
  private static final long DEFAULT_MILLIS = 1000;
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");
  private static final int SHARE_ADDED = 4;

  private final long deadlineNanos;
  private final RandomGenerator random;

  Patience(Duration total, RandomGenerator random) {
    this.deadlineNanos = System.nanoTime() + total.toNanos();
    this.random = random;
  }

  /** The pause before the next try; empty if the service asks for more than is left. */
  Optional<Duration> pause(HttpHeaders headers) {
    long least = asked(headers);
    long left = left().toMillis();
    return least > left
        ? Optional.empty()
        : Optional.of(
            Duration.ofMillis(Math.min(left, least + random.nextLong(least / SHARE_ADDED + 1))));
  }

  /** The pause before another look at something that goes on by itself: at most what is left. */
  Duration look(HttpHeaders headers) {
    return Duration.ofMillis(Math.min(asked(headers), left().toMillis()));
  }

  /** What is left of the time; not negative. */
  Duration left() {
    return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
  }

  private static long asked(HttpHeaders headers) {
    String value = headers.firstValue("Retry-After").orElse("").strip();
    return SECONDS.matcher(value).matches()
        ? Math.max(DEFAULT_MILLIS, Long.parseLong(value) * 1000)
        : DEFAULT_MILLIS;
  }
}
