package org.sluiceca.api.console;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The console, as it is configured under {@code sluice.console}.
 *
 * @param enabled whether it is served; the same on every node
 * @param idleTimeout how long a session lasts after its last request
 * @param sessionMax how long a session lasts after its sign-in
 * @param streams how many live pages this node feeds at once, some 110 KB each; 0 for none
 */
public record ConsoleSettings(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("15m") Duration idleTimeout,
    @DefaultValue("8h") Duration sessionMax,
    @DefaultValue("32") int streams) {

  private static final Duration IDLE_MIN = Duration.ofMinutes(2);
  private static final Duration IDLE_MAX = Duration.ofHours(8);
  private static final Duration SESSION_MAX = Duration.ofHours(24);

  /** 7 MB: the budget of connections leaves 14 MB for requests that are under way or refused. */
  private static final int STREAMS_MAX = 64;

  /** Refuses what is out of range, naming the setting. */
  public ConsoleSettings {
    isWithin("idle-timeout", idleTimeout, IDLE_MIN, IDLE_MAX);
    isWithin("session-max", sessionMax, idleTimeout, SESSION_MAX);
    if (streams < 0 || streams > STREAMS_MAX) {
      throw new IllegalArgumentException(
          "sluice.console.streams is " + streams + "; set it to 0 to " + STREAMS_MAX);
    }
  }

  /** Returns what holds where nothing is configured. */
  public static ConsoleSettings defaults() {
    return new ConsoleSettings(true, Duration.ofMinutes(15), Duration.ofHours(8), 32);
  }

  private static void isWithin(String name, Duration value, Duration min, Duration max) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          "sluice.console." + name + " is " + value + "; set it to " + min + " to " + max);
    }
  }
}
