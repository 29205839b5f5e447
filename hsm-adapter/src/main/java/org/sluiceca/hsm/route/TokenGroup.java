package org.sluiceca.hsm.route;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.RequestSigner;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.TokenSigner;
import org.sluiceca.hsm.Turn;

/** Several tokens that sign as one. Thread-safe. */
public final class TokenGroup implements RequestSigner, AutoCloseable {
  /*
   * Threads. Requests choose a token and wait in its lane. Each token has one keeper (TokenKeeper):
   * it opens the token, and closes it when it leaves. Nobody else makes native calls here.
   *
   * Lock. changing guards which members there are; it is held across nothing. Requests take none:
   * they read the list, which is replaced whole.
   */

  /** The router looks at each for each request; nobody we know has more HSMs in one CA. */
  public static final int TOKENS_MAX = 8;

  /** Once every key has a token, others that are slow to open are not waited for. */
  private static final Duration START_GRACE = Duration.ofSeconds(5);

  /** Logging in may wait 30 s for other processes; a module that takes longer hangs. */
  private static final Duration START_MAX = Duration.ofSeconds(60);

  /** The lanes' own drain of 10 s, and the end of their threads. */
  private static final Duration CLOSE_MAX = Duration.ofSeconds(15);

  private final Setup setup;
  private final FailureRules rules;
  private final Router router;

  private final ReentrantLock changing = new ReentrantLock();

  /** A token was opened, could not be, or has left. */
  private final Condition changed = changing.newCondition();

  /** Replaced whole under the lock; read by anybody. */
  private volatile List<TokenKeeper> tokens = List.of();

  /** Of tokens that are closing; only waited for. */
  @GuardedBy("changing")
  private final Set<TokenKeeper> leaving = new HashSet<>();

  @GuardedBy("changing")
  private boolean closed;

  private TokenGroup(Setup setup, FailureRules rules) {
    this.setup = setup;
    this.rules = rules;
    this.router = new Router(setup.region());
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
      group.awaitStart();
      return group;
    } catch (HsmException e) {
      group.close();
      throw e;
    }
  }

  private void awaitStart() {
    long start = System.nanoTime();
    changing.lock();
    try {
      while (!isStarted(System.nanoTime() - start)) {
        long ignored = changed.awaitNanos(Duration.ofMillis(100).toNanos());
      }
      for (KeyRef key : setup.required()) {
        if (!holds(key)) {
          throw missing(key);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HsmException.Closed();
    } finally {
      changing.unlock();
    }
  }

  private boolean isStarted(long nanos) {
    if (tokens.stream().allMatch(TokenKeeper::isTried)) {
      return true;
    }
    boolean isCovered = setup.required().stream().allMatch(this::holds);
    return nanos > (isCovered ? START_GRACE : START_MAX).toNanos();
  }

  private HsmException missing(KeyRef key) {
    if (tokens.size() == 1) {
      Optional<HsmException> why = tokens.getFirst().whyWithout(key);
      if (why.isPresent()) {
        return why.get();
      }
    }
    return new HsmException.NoUsableToken(
        "no token that can be opened holds the key with CKA_ID "
            + key.id()
            + tokens.stream()
                .map(
                    t ->
                        t.name()
                            + ": "
                            + t.whyWithout(key)
                                .map(HsmException::getMessage)
                                .orElse("not opened yet"))
                .collect(Collectors.joining("; ", " (", ")")));
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
  public byte[] sign(SignRequest request) {
    Set<Member> tried = new HashSet<>();
    @Nullable HsmException last = null;
    while (true) {
      long now = System.nanoTime();
      Optional<Router.Choice> choice =
          last != null && now - request.turn().deadlineNanos() >= 0
              ? Optional.empty()
              : router.choose(members(), tried, ask(request, now));
      if (choice.isEmpty()) {
        throw last != null ? last : noneUsable(request.key());
      }
      Member member = choice.get().member();
      if (last != null) {
        setup.observer().failedOver(member.name(), last);
      }
      try {
        return member.sign(request, choice.get().isProbe());
      } catch (HsmException e) {
        if (!rules.goesElsewhere().test(e)) {
          throw e;
        }
        tried.add(member);
        last = e;
      }
    }
  }

  /** Somebody waits until the answer is due; once that has passed, until the deadline. */
  private static Router.Ask ask(SignRequest request, long now) {
    Turn turn = request.turn();
    long answerIn = turn.answerByNanos() - now;
    return new Router.Ask(request.key(), answerIn > 0 ? answerIn : turn.deadlineNanos() - now, now);
  }

  private List<Member> members() {
    List<TokenKeeper> now = tokens;
    List<Member> members = new ArrayList<>(now.size());
    for (TokenKeeper token : now) {
      members.add(token.member());
    }
    return members;
  }

  private HsmException noneUsable(KeyRef key) {
    return new HsmException.NoUsableToken(
        "no token can sign with the key with CKA_ID "
            + key.id()
            + tokens.stream()
                .map(TokenKeeper::member)
                .map(m -> m.name() + ": " + why(m, key))
                .collect(Collectors.joining("; ", " (", ")")));
  }

  private static String why(Member member, KeyRef key) {
    TokenStanding standing = member.standing();
    if (!standing.trouble().isEmpty()) {
      return standing.trouble();
    }
    return standing.isUsable() && !member.holds(key) ? "without this key" : standing.state() + "";
  }

  /** Whether any token signs, or will in a moment. Takes no lock. */
  public boolean isUsable() {
    return tokens.stream().map(t -> t.member().standing()).anyMatch(TokenStanding::isUsable);
  }

  /** Whether a token of this group has held this key, even if it is away just now. */
  public boolean holds(KeyRef key) {
    return tokens.stream().anyMatch(t -> t.member().holds(key));
  }

  /** How each token stands, in the order of the configuration. Takes no lock. */
  public List<TokenStanding> standings() {
    return tokens.stream().map(TokenKeeper::name).distinct().map(this::standing).toList();
  }

  /** Of a token that is being replaced, the one that serves. */
  private TokenStanding standing(String name) {
    List<Member> named = members().stream().filter(m -> m.name().equals(name)).toList();
    return named.stream()
        .filter(Member::isOpen)
        .findFirst()
        .or(() -> named.stream().findFirst())
        .map(Member::standing)
        .orElseGet(() -> TokenStanding.gone(name));
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
    List<TokenKeeper> added = new ArrayList<>();
    List<TokenKeeper> removed = new ArrayList<>();
    changing.lock();
    try {
      if (closed) {
        return;
      }
      List<TokenKeeper> next = new ArrayList<>();
      for (TokenSettings each : wanted) {
        next.addAll(kept(each, added));
      }
      for (TokenKeeper old : tokens) {
        if (!next.contains(old)) {
          removed.add(old);
        }
      }
      leaving.addAll(removed);
      tokens = List.copyOf(next);
    } finally {
      changing.unlock();
    }
    removed.forEach(TokenKeeper::retire);
    added.forEach(TokenKeeper::start);
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

  /** The keepers of one token: the one there is, a new one, or both until the new one is open. */
  @GuardedBy("changing")
  private List<TokenKeeper> kept(TokenSettings wanted, List<TokenKeeper> added) {
    List<TokenKeeper> same = tokens.stream().filter(t -> t.name().equals(wanted.name())).toList();
    TokenKeeper next =
        same.stream()
            .filter(t -> t.settings().hsm().equals(wanted.hsm()))
            .findFirst()
            .orElseGet(() -> newKeeper(wanted));
    next.member().policy(wanted.policy());
    if (!same.contains(next)) {
      added.add(next);
    }
    List<TokenKeeper> both = new ArrayList<>();
    if (!next.member().isOpen()) {
      same.stream().filter(t -> t.member().isOpen()).findFirst().ifPresent(both::add);
    }
    both.add(next);
    return both;
  }

  private TokenKeeper newKeeper(TokenSettings wanted) {
    return new TokenKeeper(newMember(wanted), setup, () -> standing(wanted.name()), this::changed);
  }

  private Member newMember(TokenSettings wanted) {
    return new Member(wanted, setup.observer(), rules, Clock.systemUTC());
  }

  /** A keeper was opened, could not open, or has closed its token. */
  private void changed(TokenKeeper token) {
    List<TokenKeeper> replaced = new ArrayList<>();
    boolean hasLeft;
    changing.lock();
    try {
      if (token.member().isOpen() && tokens.contains(token)) {
        // Those before it: one that came later replaces this one, and not the other way round.
        for (TokenKeeper older : tokens.subList(0, tokens.indexOf(token))) {
          if (older.name().equals(token.name())) {
            replaced.add(older);
          }
        }
        leaving.addAll(replaced);
        tokens = tokens.stream().filter(t -> !replaced.contains(t)).toList();
      }
      hasLeft = token.isEnded() && leaving.remove(token) && !hasName(token.name());
      changed.signalAll();
    } finally {
      changing.unlock();
    }
    if (hasLeft) {
      setup.observer().left(token.name());
    }
    replaced.forEach(TokenKeeper::retire);
  }

  private boolean hasName(String name) {
    return tokens.stream().anyMatch(t -> t.name().equals(name));
  }

  /**
   * Refuses new requests, lets queued ones finish for up to 10 s, then closes all tokens. A token
   * that hangs is left behind after 15 s.
   */
  @Override
  public void close() {
    List<TokenKeeper> all;
    changing.lock();
    try {
      closed = true;
      all = tokens;
      leaving.addAll(all);
      tokens = List.of();
    } finally {
      changing.unlock();
    }
    all.forEach(TokenKeeper::retire);
    awaitLeaving();
  }

  private void awaitLeaving() {
    changing.lock();
    try {
      long left = CLOSE_MAX.toNanos();
      while (!leaving.isEmpty() && left > 0) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      changing.unlock();
    }
  }
}
