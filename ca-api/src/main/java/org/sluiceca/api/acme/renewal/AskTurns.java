package org.sluiceca.api.acme.renewal;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.sluiceca.api.acme.answer.AcmeProblem;
import org.sluiceca.api.platform.share.FairSlots;

/**
 * The turns of those who ask for renewal information. They need no account, so they are
 * distinguished by their networks: those that ask at once are served in rotation, and one that asks
 * for much delays another's question by one answer. One has half of the slots at most, since slow
 * answers wait for one another. Thread-safe.
 */
final class AskTurns {

  /** Each is some look-ups by an index. */
  static final int AT_ONCE = 8;

  static final int AT_ONCE_OF_ONE = AT_ONCE / 2;

  /** One network alone gets half of them. */
  static final int WAITING_MAX = 128;

  private static final Duration WAIT = Duration.ofSeconds(2);
  private static final Duration BUSY_RETRY = Duration.ofMinutes(1);

  private final Duration wait;
  private final FairSlots<Optional<String>> slots =
      new FairSlots<>(AT_ONCE, AT_ONCE_OF_ONE, AT_ONCE + WAITING_MAX);

  AskTurns() {
    this(WAIT);
  }

  /** For tests that wait as long as they have to. */
  AskTurns(Duration wait) {
    this.wait = wait;
  }

  /**
   * Answers a question in its turn. Blocks for two seconds at most before the answer is worked on.
   *
   * @param network of the sender; empty for a configured proxy's
   * @throws AcmeProblem if none came in time
   */
  <T> T inTurn(Optional<String> network, Supplier<T> answer) {
    try {
      if (!slots.begin(network, wait)) {
        throw busy();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw busy();
    }
    try {
      return answer.get();
    } finally {
      slots.end(network);
    }
  }

  private static AcmeProblem busy() {
    return AcmeProblem.later("too many ask at once: ask again", BUSY_RETRY);
  }
}
