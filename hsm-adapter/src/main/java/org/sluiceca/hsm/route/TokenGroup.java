package org.sluiceca.hsm.route;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.HsmStats;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.RequestSigner;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.SignSchedule;
import org.sluiceca.hsm.StartedSignature;
import org.sluiceca.hsm.TokenSigner;

/** Several tokens that sign as one. Thread-safe. */
public final class TokenGroup implements RequestSigner, AutoCloseable {
  /*
   * Threads. Requests choose a token and wait in its lane; they take no lock here. Which tokens
   * there are is the roster's to know.
   */

  /** The router looks at each for each request; no CA that we know of has more HSMs. */
  public static final int TOKENS_MAX = 8;

  private final Setup setup;
  private final FailureRules rules;
  private final Router router;
  private final TokenRegistry registry;

  private TokenGroup(Setup setup, FailureRules rules) {
    this.setup = setup;
    this.rules = rules;
    this.router = new Router(setup.region());
    this.registry = new TokenRegistry(setup, rules);
  }

  /**
   * What all tokens of a group share.
   *
   * @param opener opens one token, blocking
   * @param keys looked for in each token
   * @param required of those, what must be found in at least one token at the start
   * @param region where this node stands; empty for nowhere in particular
   */
  public record Setup(
      Opener opener,
      Set<KeyRef> keys,
      Set<KeyRef> required,
      String region,
      GroupObserver observer) {
    /** Copies the sets, checks the region's form. */
    public Setup {
      keys = Set.copyOf(keys);
      required = Set.copyOf(required);
      TokenPolicy.checkRegion(region);
    }
  }

  /** Opens a token. Blocks as long as the token takes. */
  @FunctionalInterface
  public interface Opener {
    /**
     * An opened token, which has been asked for these keys.
     *
     * @throws HsmException when it cannot be opened
     */
    TokenSigner open(TokenSettings token, Collection<KeyRef> keys, HsmObserver observer);
  }

  /**
   * Opens all tokens at once, each on a thread of its own, and waits until each has been tried; for
   * 5 s once every required key has a token, for 60 s at most. Tokens that cannot be opened are
   * tried again in the background.
   *
   * @throws HsmException with one line when a required key is in no token that can be opened: of a
   *     single token the very reason
   */
  public static TokenGroup open(Setup setup, List<TokenSettings> tokens) {
    return open(setup, tokens, FailureRules.STANDARD);
  }

  static TokenGroup open(Setup setup, List<TokenSettings> tokens, FailureRules rules) {
    TokenGroup group = new TokenGroup(setup, rules);
    group.reconfigure(tokens);
    try {
      group.registry.awaitStart();
      return group;
    } catch (HsmException e) {
      group.close();
      throw e;
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>A request that a token did not begin to sign is tried on another, at most once on each; one
   * that may have been signed never is.
   *
   * @throws HsmException.NoUsableToken when no token that holds the key can be used
   */
  @Override
  public StartedSignature start(SignRequest request, Thread waiter) {
    return new RoutedSignature(this, rules.goesElsewhere(), request, waiter);
  }

  /**
   * Chooses where a request is to be signed.
   *
   * @param last why the token before did not take it, if one was asked
   * @throws HsmException {@code last}, or that no token can be used
   */
  Router.Choice choose(SignRequest request, Set<TokenEndpoint> tried, @Nullable HsmException last) {
    long now = System.nanoTime();
    boolean isLate = last != null && now - request.schedule().deadlineNanos() >= 0;
    Router.Choice choice =
        isLate ? null : router.choose(registry.endpoints(), tried, ask(request, now)).orElse(null);
    if (choice == null) {
      throw last != null ? last : noneUsable(request.key());
    }
    if (last != null) {
      setup.observer().failedOver(choice.endpoint().name(), last);
    }
    return choice;
  }

  /** A client waits until the answer is due; once that has passed, until the deadline. */
  private static Router.Ask ask(SignRequest request, long now) {
    SignSchedule schedule = request.schedule();
    long answerIn = schedule.answerByNanos() - now;
    return new Router.Ask(
        request.key(),
        request.mechanism(),
        answerIn > 0 ? answerIn : schedule.deadlineNanos() - now,
        now);
  }

  private HsmException noneUsable(KeyRef key) {
    return new HsmException.NoUsableToken(
        "no token can sign with the key with CKA_ID "
            + key.id()
            + registry.endpoints().stream()
                .map(m -> m.name() + ": " + why(m, key))
                .collect(Collectors.joining("; ", " (", ")")));
  }

  private static String why(TokenEndpoint endpoint, KeyRef key) {
    TokenStatus status = endpoint.status();
    if (!status.trouble().isEmpty()) {
      return status.trouble();
    }
    return status.isUsable() && !endpoint.holds(key) ? "without this key" : status.state() + "";
  }

  /** Whether any token signs, or will in a moment. Takes no lock. */
  public boolean isUsable() {
    return registry.endpoints().stream().map(TokenEndpoint::status).anyMatch(TokenStatus::isUsable);
  }

  /** How each token stands, in the order of the configuration. Takes no lock. */
  public List<TokenStatus> statuses() {
    return registry.statuses();
  }

  /**
   * What such a signature takes of a token's engines, nanoseconds: of several tokens that hold the
   * key, of the fastest, though it may be away just now; 0 if unknown. Takes each one's lock for a
   * moment.
   */
  public long costNanos(KeyRef key, Mechanism mechanism) {
    return registry.endpoints().stream()
        .mapToLong(endpoint -> endpoint.costNanos(key, mechanism))
        .filter(nanos -> nanos > 0)
        .min()
        .orElse(0);
  }

  /**
   * Returns how much of the time of all engines of a token such a signature takes, nanoseconds: of
   * several tokens that hold the key, of the fastest; 0 if unknown. Takes each one's lock for a
   * moment.
   */
  public long occupiedNanos(KeyRef key, Mechanism mechanism) {
    return registry.endpoints().stream()
        .mapToLong(endpoint -> endpoint.occupiedNanos(key, mechanism))
        .filter(nanos -> nanos > 0)
        .min()
        .orElse(0);
  }

  /**
   * Engines of one token that sign in some way with some key.
   *
   * @param token its name
   * @param group which of its groups of engines, 0 to 3
   * @param stats of that group
   */
  public record Engines(String token, int group, HsmStats stats) {}

  /**
   * Returns all that sign so with this key, working or not, in the order of the configuration: of
   * the tokens that were open once and held it then. Takes no lock.
   */
  public List<Engines> engines(KeyRef key, Mechanism mechanism) {
    return registry.endpoints().stream()
        .flatMap(endpoint -> endpoint.engines(key, mechanism).stream())
        .toList();
  }

  /** Whether a token of this group has held this key, even if it is away just now. */
  public boolean holds(KeyRef key) {
    return registry.holds(key);
  }

  /**
   * Makes the group have these tokens. Returns at once: new tokens join when they are open; a token
   * whose settings changed is replaced when it is open under the new ones; one that is not listed
   * takes nothing more, finishes its queue for up to 10 s, and what is left goes to other tokens.
   *
   * @throws IllegalArgumentException when there is none, there are more than 8, or two have one
   *     name
   */
  public void reconfigure(List<TokenSettings> wanted) {
    check(wanted);
    registry.reconfigure(wanted);
  }

  private static void check(List<TokenSettings> wanted) {
    if (wanted.isEmpty() || wanted.size() > TOKENS_MAX) {
      throw new IllegalArgumentException(
          "there must be 1 to " + TOKENS_MAX + " tokens, not " + wanted.size());
    }
    Set<String> names = new HashSet<>();
    for (TokenSettings each : wanted) {
      if (!names.add(each.name())) {
        throw new IllegalArgumentException("two tokens are named " + each.name());
      }
    }
  }

  /**
   * Refuses new requests, lets queued ones finish for up to 10 s, then closes all tokens. A token
   * that hangs is left behind after 15 s.
   */
  @Override
  public void close() {
    registry.close();
  }
}
