package org.sluiceca.load.soak.judge;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sluiceca.load.page.Text;

/**
 * Judges OCSP answers about single certificates. Thread-safe; of one node looks are to come in the
 * order in which they were made.
 */
public final class OcspJudge {

  private final ExpectedState expected;
  private final Lives lives;
  private final Findings findings;
  private final Duration bound;

  /** When each node last said that a certificate is revoked, unless it said good after that. */
  private final Map<Integer, Map<Integer, Instant>> saidRevoked = new HashMap<>();

  private final List<Double> delays = new ArrayList<>();

  /** What is said of a certificate (RFC 6960 4.2.1). */
  public enum Status {
    GOOD,
    REVOKED,
    UNKNOWN
  }

  /**
   * An answer whose signature holds.
   *
   * @param producedAt when it was signed; thisUpdate lies before that, for late clocks
   */
  public record Said(Status status, Instant thisUpdate, Instant nextUpdate, Instant producedAt) {}

  /**
   * Has seen no answer yet.
   *
   * @param bound how long a living node may take to hear of a revocation
   */
  public OcspJudge(ExpectedState expected, Lives lives, Findings findings, Duration bound) {
    this.expected = expected;
    this.lives = lives;
    this.findings = findings;
    this.bound = bound;
  }

  /** Judges what a node said of a certificate. */
  public synchronized void see(Look look, int number, Said said) {
    check(
        Rule.STALE,
        !look.sent().isAfter(said.nextUpdate())
            && !said.producedAt().isAfter(look.received())
            && !said.thisUpdate().isAfter(said.producedAt()),
        look,
        number,
        said);
    check(Rule.OCSP_REFUSED, said.status() != Status.UNKNOWN, look, number, said);
    Map<Integer, Instant> ofNode = saidRevoked.computeIfAbsent(look.node(), n -> new HashMap<>());
    Instant from = look.sent().minus(bound);
    boolean isSteady = lives.isSteadySince(look.node(), from);
    switch (said.status()) {
      case GOOD -> {
        check(
            Rule.OCSP_LATE,
            !(isSteady && expected.isSurelyRevoked(number, from))
                && !expected.isSurelyRevoked(number, said.producedAt().minus(bound)),
            look,
            number,
            said);
        Instant before = ofNode.remove(number);
        if (before != null) {
          check(Rule.OCSP_BACK, expected.mayBeReleasedSince(number, before), look, number, said);
        }
      }
      case REVOKED -> {
        // If no client ever asked for the revocation, nothing that a node missed explains it,
        // however short it has lived.
        check(
            Rule.PHANTOM,
            !expected.isNeverAsked(number) && !(isSteady && expected.isSurelyGood(number, from)),
            look,
            number,
            said);
        // Keeps the latest: a hold that it reported before a release explains nothing after the
        // next one. Keeps when it was asked, since what is confirmed later does not explain its
        // answer.
        if (ofNode.put(number, look.sent()) == null) {
          expected
              .revokedAt(number)
              .filter(at -> lives.isSteadySince(look.node(), at))
              .ifPresent(
                  at ->
                      delays.add(
                          Math.max(0, Duration.between(at, look.received()).toMillis() / 1e3)));
        }
      }
      case UNKNOWN -> {}
    }
  }

  /**
   * Returns how long each node took, at most, to say revoked of those that were asked for, in s.
   */
  public synchronized List<Double> delays() {
    return List.copyOf(delays);
  }

  private void check(Rule rule, boolean holds, Look look, int number, Said said) {
    findings.check(
        rule,
        holds,
        holds
            ? ""
            : Text.format(
                "OCSP: node %d at %s said %s of %s, from %s to %s; revocation confirmed %s",
                look.node(),
                look.sent(),
                said.status(),
                expected.serial(number),
                said.producedAt(),
                said.nextUpdate(),
                expected.revokedAt(number).map(Instant::toString).orElse("not")));
  }
}
