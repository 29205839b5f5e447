package org.sluiceca.load.soak.judge;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.load.page.Text;

/**
 * Judges the CRLs of one scope, complete ones and deltas, which share one line of numbers. What
 * they said is kept for as long as deltas may be put to them. Thread-safe; of one node looks are to
 * come in the order in which they were made.
 */
public final class LineJudge {

  private final String scope;
  private final ExpectedState expected;
  private final Lives lives;
  private final Findings findings;
  private final Bounds bounds;
  private final CrlLine line = new CrlLine();
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
    Optional<CrlLine.Known> known = line.at(view.number());
    if (known.isEmpty()) {
      line.add(view, look.received());
      checkNew(look, view);
      line.forgetUntil(look.received().minus(bounds.kept()));
    } else {
      check(
          Rule.NUMBER_TWICE,
          known.get().digest.equals(view.digest()) && known.get().isDelta == view.isDelta(),
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
    boolean isDue = !isDelta || (node != null && node.delta >= 0) || line.isDeltaSeenBefore(from);
    if (isDue && lives.isSteadySince(look.node(), from)) {
      findings.check(
          Rule.ABSENT,
          false,
          Text.format(
              "%s: node %d served no %s at %s but %d",
              scope, look.node(), isDelta ? "delta" : "CRL", look.sent(), status));
    }
  }

  /**
   * Returns how long each revocation took from its confirmation to each living node's CRL, in s.
   */
  public synchronized List<Double> delays() {
    return List.copyOf(delays);
  }

  /** Returns how many numbers of complete CRLs, or of deltas, were seen. */
  public synchronized long numbers(boolean isDelta) {
    return line.count(isDelta);
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
      line.above(view.number())
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
    for (Map.Entry<Long, CrlLine.Known> other : line.neighbours(view.number())) {
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
      boolean isBaseDelta = line.at(base).filter(known -> known.isDelta).isPresent();
      check(
          Rule.DELTA,
          base < view.number() && !isBaseDelta,
          look,
          view,
          base + " cannot be its base");
      line.completes(base, view.number()).forEach(complete -> checkTogether(look, complete, view));
    } else {
      checkContent(look, view, view, view.revoked(), false);
      line.deltasTo(view.number()).forEach(delta -> checkTogether(look, view, delta));
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
    Optional<CrlView> lower = line.completeBelow(view.number());
    if (lower.isPresent()) {
      BitSet gone = gone(lower.get().revoked(), revoked, lower.get().issuedAt());
      check(rule, gone.isEmpty(), look, view, to + "lost " + expected.words(gone));
    }
    Optional<CrlView> higher = line.completeAbove(view.number());
    if (higher.isPresent()) {
      BitSet gone = gone(revoked, higher.get().revoked(), view.issuedAt());
      check(
          rule,
          gone.isEmpty(),
          look,
          view,
          to + higher.get().number() + " lost " + expected.words(gone));
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
