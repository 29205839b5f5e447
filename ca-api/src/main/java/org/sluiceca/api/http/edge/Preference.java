package org.sluiceca.api.http.edge;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How long a client wants to wait for its certificate (RFC 7240 4.1 respond-async, 4.3 wait).
 * Preferences that are not understood are ignored, as RFC 7240 2 demands; of a repeated one the
 * first counts.
 *
 * @param named how long the client said it would wait, bounded
 * @param respondAsync whether it wants 202 rather than an answer that is late
 */
public record Preference(Optional<Duration> named, boolean respondAsync) {

  /** The answer's header (RFC 7240 3). */
  public static final String APPLIED = "Preference-Applied";

  /** For a client that states none, as docs/protocols/REST.md says. */
  private static final Duration WAIT_DEFAULT = Duration.ofSeconds(10);

  /** Shorter than the 60 s after which common proxies cut a silent connection. */
  private static final long WAIT_SECONDS_MAX = 30;

  /** A longer number is over the bound whatever it says. */
  private static final int WAIT_DIGITS_MAX = 6;

  private static final String WAIT = "wait";

  /** RFC 7240 4.1. */
  public static final String RESPOND_ASYNC = "respond-async";

  private static final Preference NONE = new Preference(Optional.empty(), false);

  /** Reads the Prefer header; null or anything that is not understood prefers nothing. */
  public static Preference of(@Nullable String prefer) {
    if (prefer == null) {
      return NONE;
    }
    Map<String, String> preferences = new HashMap<>();
    for (String preference : split(prefer, ',')) {
      // What follows a semicolon are the preference's own parameters.
      String[] parts = split(preference, ';').getFirst().split("=", 2);
      String _ =
          preferences.putIfAbsent(
              parts[0].strip().toLowerCase(Locale.ROOT), parts.length == 2 ? parts[1].strip() : "");
    }
    return new Preference(
        Optional.ofNullable(preferences.get(WAIT)).flatMap(Preference::seconds),
        preferences.containsKey(RESPOND_ASYNC));
  }

  /** Returns how long to wait before 202. */
  public Duration longestWait() {
    return named.orElse(respondAsync ? Duration.ZERO : WAIT_DEFAULT);
  }

  /**
   * Returns what Preference-Applied says (RFC 7240 3), if anything.
   *
   * @param accepted whether the answer is 202
   * @param waited whether the answer waited as long as was asked for, if it had to
   */
  public Optional<String> applied(boolean accepted, boolean waited) {
    List<String> applied = new ArrayList<>();
    if (respondAsync && accepted) {
      applied.add(RESPOND_ASYNC);
    }
    if (waited) {
      named.ifPresent(w -> applied.add(WAIT + "=" + w.toSeconds()));
    }
    return applied.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", applied));
  }

  private static Optional<Duration> seconds(String value) {
    String digits =
        value.length() > 1 && value.startsWith("\"") && value.endsWith("\"")
            ? value.substring(1, value.length() - 1)
            : value;
    if (digits.isEmpty() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return Optional.empty();
    }
    long seconds = digits.length() > WAIT_DIGITS_MAX ? WAIT_SECONDS_MAX : Long.parseLong(digits);
    return Optional.of(Duration.ofSeconds(Math.min(seconds, WAIT_SECONDS_MAX)));
  }

  /** Splits at a separator that stands outside of quoted strings. */
  private static List<String> split(String text, char separator) {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && quoted && i + 1 < text.length()) {
        part.append(c).append(text.charAt(++i));
      } else if (c == separator && !quoted) {
        parts.add(part.toString());
        part.setLength(0);
      } else {
        quoted ^= c == '"';
        part.append(c);
      }
    }
    parts.add(part.toString());
    return parts;
  }
}
