package org.sluiceca.load.soak.judge;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.sluiceca.load.page.Text;

/**
 * Judges the CRLs of one scope, complete ones and deltas, which share one line of numbers. Of each
 * number a digest is kept for the whole run, what it said for as long as deltas may be put to it.
 * Thread-safe; of one node looks are to come in the order in which they were made.
 */
public final class LineJudge {

  private final String scope;
  private final ExpectedState expected;
  private final Lives lives;
  private final Findings findings;
  private final Bounds bounds;
  private final NavigableMap<Long, Known> line = new TreeMap<>();
  private final Map<Integer, OfNode> nodes = new HashMap<>();
  private final List<Double> delays = new ArrayList<>();

  /**
   * What a living node is given.
   *
   * @param published from a confirmed revocation until it is on the CRL
   * @param behind from a number's first sight anywhere
   * @param kept how long what a CRL said is remembered: longer than a delta's base is used
   */
  public record Bounds(Duration published, Duration behind, Duration kept) {}

  /** A number that was seen, and what it said unless that is long ago. */
  private static final class Known {
    final String digest;
    final boolean isDelta;
    final Instant issuedAt;
    final Instant firstSeen;
    @Nullable CrlView view;

    Known(CrlView view, Instant firstSeen) {
      this.digest = view.digest();
      this.isDelta = view.isDelta();
      this.issuedAt = view.issuedAt();
      this.firstSeen = firstSeen;
      this.view = view;
    }
  }

  /** The newest numbers that a node served, -1 for none. */
  private static final class OfNode {
    long complete = -1;
    long delta = -1;
    long deltaBase = -1;
    final BitSet onCrl = new BitSet();
  }

  /** Knows no CRL yet. */
  public LineJudge(
      String scope, ExpectedState expected, Lives lives, Findings findings, Bounds bounds) {
    this.scope = scope;
    this.expected = expected;
    this.lives = lives;
    this.findings = findings;
    this.bounds = bounds;
  }

  /** Judges a CRL that a node served. */
  public synchronized void see(Look look, CrlView view) {
    check(
        Rule.STALE,
        !look.sent().isAfter(view.nextUpdate())
            && !view.issuedAt().isAfter(look.received())
            && !view.thisUpdate().isAfter(view.issuedAt()),
        look,
        view,
        "holds from " + view.thisUpdate() + " to " + view.nextUpdate());
    check(Rule.ABSENT, true, look, view, "");
    OfNode node = nodes.computeIfAbsent(look.node(), n -> new OfNode());
    checkNotBackwards(look, view, node);
    checkNotBehind(look, view);
    if (!view.isDelta()) {
      checkNotLate(look, view);
      measure(look, view, node);
    }
    Known known = line.get(view.number());
    if (known == null) {
      line.put(view.number(), new Known(view, look.received()));
      checkNew(look, view);
      forgetOld(look.received());
    } else {
      check(
          Rule.NUMBER_TWICE,
          known.digest.equals(view.digest()) && known.isDelta == view.isDelta(),
          look,
          view,
          "the number stood for other octets");
    }
  }

  /** Judges that a node served none. */
  public synchronized void absent(Look look, boolean isDelta, int status) {
    OfNode node = nodes.get(look.node());
    Instant from = look.sent().minus(bounds.published());
    // A node that has just begun has none yet, and deltas want a base first: they are due where
    // there was one, and everywhere when another node has had one for long.
    boolean isDue = !isDelta || (node != null && node.delta >= 0) || isDeltaSeenBefore(from);
    if (isDue && lives.isSteadySince(look.node(), from)) {
      findings.check(
          Rule.ABSENT,
          false,
          Text.format(
              "%s: node %d served no %s at %s but %d",
              scope, look.node(), isDelta ? "delta" : "CRL", look.sent(), status));
    }
  }

  private boolean isDeltaSeenBefore(Instant moment) {
    return line.values().stream()
        .anyMatch(known -> known.isDelta && known.firstSeen.isBefore(moment));
  }

  /**
   * Returns how long each revocation took from its confirmation to each living node's CRL, in s.
   */
  public synchronized List<Double> delays() {
    return List.copyOf(delays);
  }

  /** Returns how many numbers of complete CRLs, or of deltas, were seen. */
  public synchronized long numbers(boolean isDelta) {
    return line.values().stream().filter(known -> known.isDelta == isDelta).count();
  }

  private void checkNotBackwards(Look look, CrlView view, OfNode node) {
    long before = view.isDelta() ? node.delta : node.complete;
    check(Rule.BACKWARDS, view.number() >= before, look, view, "the node served " + before);
    if (view.isDelta()) {
      node.delta = view.number();
      node.deltaBase = view.base().orElseThrow();
    } else {
      node.complete = view.number();
      // A delta is published alongside a complete CRL that it can be combined with.
      check(
          Rule.DELTA,
          view.number() >= node.deltaBase,
          look,
          view,
          "the node had served a delta to " + node.deltaBase);
    }
  }

  private void checkNotBehind(Look look, CrlView view) {
    Instant from = look.sent().minus(bounds.behind());
    if (lives.isSteadySince(look.node(), from)) {
      line.tailMap(view.number(), false)
          .forEach(
              (number, known) ->
                  check(
                      Rule.BEHIND,
                      known.isDelta != view.isDelta() || known.firstSeen.isAfter(from),
                      look,
                      view,
                      number + " was seen at " + known.firstSeen));
      findings.check(Rule.BEHIND, true, "");
    }
  }

  private void checkNotLate(Look look, CrlView view) {
    Instant from = look.sent().minus(bounds.published());
    if (lives.isSteadySince(look.node(), from)) {
      BitSet missing = expected.surelyRevoked(scope, from);
      if (missing.isEmpty()) {
        return; // Nothing is due: no check.
      }
      missing.andNot(view.revoked());
      check(Rule.LATE, missing.isEmpty(), look, view, "lacks " + expected.words(missing));
    }
  }

  private void measure(Look look, CrlView view, OfNode node) {
    BitSet fresh = (BitSet) view.revoked().clone();
    fresh.andNot(node.onCrl);
    node.onCrl.or(fresh);
    fresh.stream()
        .mapToObj(expected::revokedAt)
        .flatMap(Optional::stream)
        .filter(at -> lives.isSteadySince(look.node(), at))
        .forEach(
            at -> delays.add(Math.max(0, Duration.between(at, look.received()).toMillis() / 1e3)));
  }

  private void checkNew(Look look, CrlView view) {
    for (Map.Entry<Long, Known> other : neighbours(view.number())) {
      boolean isLower = other.getKey() < view.number();
      Instant otherTime = other.getValue().issuedAt;
      check(
          Rule.TIME_ORDER,
          isLower ? !otherTime.isAfter(view.issuedAt()) : !otherTime.isBefore(view.issuedAt()),
          look,
          view,
          other.getKey() + " is of " + otherTime);
    }
    if (view.isDelta()) {
      long base = view.base().orElseThrow();
      Known known = line.get(base);
      check(
          Rule.DELTA,
          base < view.number() && (known == null || !known.isDelta),
          look,
          view,
          base + " cannot be its base");
      completes(base, view.number()).forEach(complete -> checkTogether(look, complete, view));
    } else {
      checkContent(look, view, view, view.revoked(), false);
      line.tailMap(view.number(), false).values().stream()
          .map(known -> known.view)
          .filter(later -> later != null && later.isDelta())
          .filter(later -> later.base().orElseThrow() <= view.number())
          .forEach(delta -> checkTogether(look, view, delta));
    }
  }

  private void checkTogether(Look look, CrlView complete, CrlView delta) {
    checkContent(look, delta, complete, delta.over(complete), true);
  }

  /**
   * Judges what is said under a number: by a complete CRL itself, or by a delta over {@code from}.
   */
  private void checkContent(
      Look look, CrlView view, CrlView from, BitSet revoked, boolean isTogether) {
    String to = isTogether ? "over " + from.number() + ": " : "";
    BitSet forgotten = expected.surelyRevoked(scope, view.issuedAt());
    forgotten.andNot(revoked);
    Rule rule = isTogether ? Rule.DELTA : Rule.FORGOTTEN;
    check(rule, forgotten.isEmpty(), look, view, to + "forgot " + expected.words(forgotten));
    BitSet phantoms = expected.surelyGood(revoked, view.issuedAt());
    rule = isTogether ? Rule.DELTA : Rule.PHANTOM;
    check(rule, phantoms.isEmpty(), look, view, to + "never revoked: " + expected.words(phantoms));
    rule = isTogether ? Rule.DELTA : Rule.GONE;
    CrlView lower = complete(line.headMap(view.number(), false).descendingMap());
    if (lower != null) {
      BitSet gone = gone(lower.revoked(), revoked, lower.issuedAt());
      check(rule, gone.isEmpty(), look, view, to + "lost " + expected.words(gone));
    }
    CrlView higher = complete(line.tailMap(view.number(), false));
    if (higher != null) {
      BitSet gone = gone(revoked, higher.revoked(), view.issuedAt());
      check(
          rule, gone.isEmpty(), look, view, to + higher.number() + " lost " + expected.words(gone));
    }
  }

  private BitSet gone(BitSet before, BitSet after, Instant since) {
    BitSet gone = (BitSet) before.clone();
    gone.andNot(after);
    BitSet unexplained = new BitSet();
    gone.stream()
        .filter(number -> !expected.mayBeReleasedSince(number, since))
        .forEach(unexplained::set);
    return unexplained;
  }

  private List<CrlView> completes(long from, long below) {
    List<CrlView> found = new ArrayList<>();
    for (Known known : line.subMap(from, true, below, false).values()) {
      if (known.view != null && !known.isDelta) {
        found.add(known.view);
      }
    }
    return found;
  }

  private static @Nullable CrlView complete(NavigableMap<Long, Known> part) {
    for (Known known : part.values()) {
      if (known.view != null && !known.isDelta) {
        return known.view;
      }
    }
    return null;
  }

  private List<Map.Entry<Long, Known>> neighbours(long number) {
    List<Map.Entry<Long, Known>> found = new ArrayList<>();
    Map.Entry<Long, Known> lower = line.lowerEntry(number);
    Map.Entry<Long, Known> higher = line.higherEntry(number);
    if (lower != null) {
      found.add(lower);
    }
    if (higher != null) {
      found.add(higher);
    }
    return found;
  }

  private void forgetOld(Instant now) {
    Instant before = now.minus(bounds.kept());
    for (Known known : line.values()) {
      if (known.firstSeen.isAfter(before)) {
        return;
      }
      known.view = null;
    }
  }

  private void check(Rule rule, boolean holds, Look look, CrlView view, String otherwise) {
    findings.check(
        rule,
        holds,
        holds
            ? ""
            : Text.format(
                "%s: node %d at %s, %s %d of %s: %s",
                scope,
                look.node(),
                look.sent(),
                view.isDelta() ? "delta" : "CRL",
                view.number(),
                view.issuedAt(),
                otherwise));
  }
}
