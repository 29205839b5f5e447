package org.sluiceca.load.scenario;

import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.plan.Client;

/**
 * How the clients of a scenario behave.
 *
 * @param keepsConnections whether connections are kept and shared, or each request has a new one
 * @param isMutual whether requesters show client certificates instead of tokens
 * @param whenRefused what a client does that is refused with 429 or 503
 * @param keys by requester, of those whose clients have keys of another kind than the plan's:
 *     {@code ec-p256} or {@code rsa-2048}
 */
public record Clients(
    boolean keepsConnections, boolean isMutual, WhenRefused whenRefused, Map<String, String> keys) {

  /** Validates. */
  public Clients {
    keys = Collections.unmodifiableSortedMap(new TreeMap<>(keys));
    for (String key : keys.values()) {
      if (!key.equals(Client.EC) && !key.equals(Client.RSA)) {
        throw new InputException(
            Text.format("a client's key is %s or %s, not '%s'", Client.EC, Client.RSA, key));
      }
    }
  }

  /** What becomes of a client that was refused with 429 or 503. */
  public enum WhenRefused {
    /** It does not come again: an open load of clients that know nothing of each other. */
    LEAVE,
    /** It comes again after Retry-After, with the same Idempotency-Key. */
    OBEY,
    /** It comes again after a second, whatever Retry-After says. */
    IGNORE;

    /** Returns its name in files. */
    public String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Reads the three switches.
   *
   * @param keys as {@link #keys}
   * @throws InputException if a word is none of theirs
   */
  public static Clients of(
      String connections, String credentials, String whenRefused, Map<String, String> keys) {
    return new Clients(
        choice("connections", connections, "keep", "new"),
        choice("credentials", credentials, "certificate", "token"),
        switch (whenRefused) {
          case "leave" -> WhenRefused.LEAVE;
          case "obey" -> WhenRefused.OBEY;
          case "ignore" -> WhenRefused.IGNORE;
          default ->
              throw new InputException("when-refused is leave, obey or ignore: " + whenRefused);
        },
        keys);
  }

  private static boolean choice(String key, String word, String yes, String no) {
    if (!word.equals(yes) && !word.equals(no)) {
      throw new InputException(key + " is " + yes + " or " + no + ", not '" + word + "'");
    }
    return word.equals(yes);
  }

  /** Returns the kind of key that the clients of a requester have. */
  public String key(String requester, Client plan) {
    return keys.getOrDefault(requester, plan.key());
  }

  /** Returns what they do, for people. */
  public String description() {
    String other =
        keys.entrySet().stream()
            .map(entry -> entry.getKey() + "'s clients have keys of " + entry.getValue() + ", ")
            .collect(Collectors.joining());
    return Text.format(
        "%s, %s, %swho is refused %s",
        keepsConnections ? "connections kept" : "a new connection for each request",
        isMutual ? "client certificates" : "tokens",
        other,
        switch (whenRefused) {
          case LEAVE -> "does not come again";
          case OBEY -> "obeys Retry-After";
          case IGNORE -> "comes again after a second, whatever Retry-After says";
        });
  }
}
