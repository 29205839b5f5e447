package org.sluiceca.api.console.live.nodes;

import java.util.Map;
import org.sluiceca.api.console.live.feed.LiveFeed;
import org.sluiceca.api.console.live.feed.Rates;
import org.sluiceca.api.console.live.feed.Reading;
import org.sluiceca.api.console.live.feed.Verdict;
import org.sluiceca.api.hsm.capacity.CapacityReader.TokenFigures;

/**
 * What a node says of itself in one second.
 *
 * @param state what limits it, as {@link Verdict#state}
 * @param stage where, as {@link Verdict#stage}
 * @param token the token whose window is used most; empty without one
 */
public record NodeSecond(String node, String state, String stage, String token, Load load) {

  /**
   * Its figures.
   *
   * @param depth requests that have a place on the line
   * @param waitSeconds how long a signature waited for a token on average
   * @param utilization which part of the tokens' windows was in use
   * @param issued certificates a second
   * @param refused requests a second, for load or for cause
   * @param window jobs that its tokens take at once
   * @param tokensUsable how many of its {@code tokens} can sign
   */
  public record Load(
      int depth,
      double waitSeconds,
      double utilization,
      double issued,
      double refused,
      double window,
      int tokensUsable,
      int tokens) {}

  /** Returns what {@code node} says at a moment of its own. */
  public static NodeSecond of(String node, LiveFeed.Moment moment) {
    Reading reading = moment.reading();
    Rates rates = moment.rates();
    Verdict verdict = Verdict.of(reading, rates);
    return new NodeSecond(
        node,
        verdict.state(),
        verdict.stage(),
        rates.utilization().entrySet().stream()
            .max(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey)
            .orElse(""),
        new Load(
            reading.line().inFlight(),
            rates.waitSeconds(),
            rates.utilizationInAll(),
            rates.issued(),
            rates.refusedInAll(),
            reading.tokens().stream().mapToDouble(token -> token.load().window()).sum(),
            (int) reading.tokens().stream().filter(TokenFigures::isUsable).count(),
            reading.tokens().size()));
  }
}
