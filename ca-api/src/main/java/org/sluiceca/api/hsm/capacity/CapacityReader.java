package org.sluiceca.api.hsm.capacity;

import java.util.List;
import java.util.Locale;
import org.sluiceca.hsm.HsmStats;
import org.sluiceca.hsm.route.TokenGroup;
import org.sluiceca.hsm.route.TokenStatus;

/** Reads how the tokens of this node stand, from snapshots without a lock. Thread-safe. */
public final class CapacityReader {

  private final TokenGroup tokens;

  /** Reads the tokens of {@code tokens}. */
  public CapacityReader(TokenGroup tokens) {
    this.tokens = tokens;
  }

  /**
   * A token as this node sees it; the figures of one that is away are 0.
   *
   * @param state {@code ready}, {@code recovering}, {@code token_lost}, {@code pin_refused} or
   *     {@code closed}
   * @param isUsable whether some of its engines sign, or will in a moment
   * @param breaker {@code closed}, {@code half_open} or {@code open}
   * @param preference {@code preferred} or {@code backup}
   */
  public record TokenFigures(
      String name,
      String state,
      boolean isUsable,
      String breaker,
      String preference,
      String region,
      Load load) {

    /**
     * What a token has to do.
     *
     * @param inflight jobs in the token
     * @param window how many it may have, in fractions of a job
     * @param queued jobs that wait for the window
     * @param oldestAgeSeconds since when the first of them waits
     * @param meanSeconds of a call, recently; 0 before the first
     * @param completed signatures since the node began
     */
    public record Load(
        int inflight,
        double window,
        int queued,
        double oldestAgeSeconds,
        double meanSeconds,
        long completed) {

      static final Load NONE = new Load(0, 0, 0, 0, 0, 0);

      /**
       * Returns which part of the window is taken: a window below one job holds one now and then.
       */
      public double utilization() {
        return window == 0 ? 0 : Math.min(1, inflight / window);
      }

      /** Returns how many signatures a second the window allows; 0 while unknown. */
      public double capacityPerSecond() {
        return meanSeconds == 0 ? 0 : window / meanSeconds;
      }
    }
  }

  /** Returns all tokens, in the order in which they are configured. */
  public List<TokenFigures> tokens() {
    return tokens.statuses().stream().map(CapacityReader::figures).toList();
  }

  private static TokenFigures figures(TokenStatus token) {
    return new TokenFigures(
        token.name(),
        lower(token.state()),
        token.isUsable(),
        token.breaker(),
        lower(token.policy().preference()),
        token.policy().region(),
        token.stats().map(CapacityReader::load).orElse(TokenFigures.Load.NONE));
  }

  private static TokenFigures.Load load(HsmStats stats) {
    return new TokenFigures.Load(
        stats.inflight(),
        stats.inflightLimit(),
        stats.queueDepth(),
        stats.oldestAgeNanos() / 1e9,
        stats.meanServiceNanos() / 1e9,
        stats.completed());
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
