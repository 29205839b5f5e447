package org.sluiceca.load.plan;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.page.Text;

/**
 * How the generator and its clients behave. Kept connections, tokens, and clients that do not come
 * again are all that the program's own generator knows; Gatling knows the others.
 *
 * @param isPoisson whether requests come at random, as of many clients that know nothing of each
 *     other, or evenly
 * @param waitSeconds what {@code Prefer: wait} says, 0 to 30
 * @param connectionsMax requests that may be without an answer at a time, 1 to 20,000
 * @param seed of all random numbers
 * @param key of the certificates that are asked for: {@code ec-p256} or {@code rsa-2048}
 * @param keys by requester, of those whose clients have keys of another kind
 * @param keepsConnections whether connections are kept and shared, or each request has a new one
 * @param isMutual whether requesters show client certificates instead of tokens
 * @param whenRefused what a client does that is refused with 429 or 503
 */
public record Client(
    boolean isPoisson,
    int waitSeconds,
    int connectionsMax,
    long seed,
    String key,
    Map<String, String> keys,
    boolean keepsConnections,
    boolean isMutual,
    WhenRefused whenRefused) {

  /** The kind of key of most plans: the cheapest to make. */
  public static final String EC = "ec-p256";

  /** The other kind. */
  public static final String RSA = "rsa-2048";

  /** What becomes of a client that was refused with 429 or 503. */
  public enum WhenRefused {
    /** It does not come again: an open load of clients that know nothing of each other. */
    LEAVE,
    /** It comes again after Retry-After, with the same Idempotency-Key. */
    OBEY,
    /** It comes again after a second, whatever Retry-After says. */
    IGNORE;

    /**
     * Finds one by its name in files.
     *
     * @throws InputException if there is none
     */
    public static WhenRefused of(String word) {
      for (WhenRefused one : values()) {
        if (one.name().toLowerCase(Locale.ROOT).equals(word)) {
          return one;
        }
      }
      throw new InputException("when-refused is leave, obey or ignore: " + word);
    }
  }

  /** Validates. */
  public Client {
    keys = Collections.unmodifiableSortedMap(new TreeMap<>(keys));
    PlanFile.range("client.wait", waitSeconds, 0, 30);
    PlanFile.range("client.connections", connectionsMax, 1, 20_000);
    checkKind(key);
    keys.values().forEach(Client::checkKind);
  }

  private static void checkKind(String key) {
    if (!List.of(EC, RSA).contains(key)) {
      throw new InputException(Text.format("a client's key is %s or %s, not '%s'", EC, RSA, key));
    }
  }

  /** Returns the kind of key that the clients of a requester have. */
  public String key(String requester) {
    return keys.getOrDefault(requester, key);
  }

  /** Returns the same with other switches. */
  public Client with(boolean isKept, boolean hasCertificates, WhenRefused then) {
    return new Client(
        isPoisson, waitSeconds, connectionsMax, seed, key, keys, isKept, hasCertificates, then);
  }

  /** Returns what the clients do, for people. */
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
