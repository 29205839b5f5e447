package org.sluiceca.api.rest;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How long a client wants to wait for its certificate (RFC 7240 4.1 respond-async, 4.3 wait).
 * Preferences that are not understood are ignored, as RFC 7240 2 demands.
 */
record Preference(Duration longestWait) {

  /** CONTRACT section 2. */
  private static final Duration WAIT_DEFAULT = Duration.ofSeconds(10);

  /** Shorter than the 60 s after which common proxies cut a silent connection. */
  private static final long WAIT_SECONDS_MAX = 30;

  private static final Pattern ASYNC =
      Pattern.compile("(?i)(?:^|[,\\s])respond-async(?:$|[;,\\s])");
  private static final Pattern WAIT = Pattern.compile("(?i)(?:^|[,\\s])wait=\"?([0-9]{1,6})\"?");

  static Preference of(@Nullable String prefer) {
    if (prefer == null) {
      return new Preference(WAIT_DEFAULT);
    }
    Matcher wait = WAIT.matcher(prefer);
    if (wait.find()) {
      long seconds = Math.min(Long.parseLong(wait.group(1)), WAIT_SECONDS_MAX);
      return new Preference(Duration.ofSeconds(seconds));
    }
    return new Preference(ASYNC.matcher(prefer).find() ? Duration.ZERO : WAIT_DEFAULT);
  }
}
