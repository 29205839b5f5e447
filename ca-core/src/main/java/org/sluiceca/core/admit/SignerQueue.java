package org.sluiceca.core.admit;

import java.util.function.DoubleSupplier;
import org.sluiceca.core.admit.share.Requesters;
import org.sluiceca.core.sign.SigningPool;
import org.sluiceca.core.throughput.RetryAfter;

/**
 * The line in front of one signing pool: its lanes, who asks there, and at what rate it drains.
 * Signing pools have nothing in common but the node's places. Not thread-safe: {@link Admission}
 * guards it.
 */
final class SignerQueue {

  /**
   * A client refused with Retry-After comes back within a minute: if no request has found the
   * signer lost for longer than this, the signer may have been available meanwhile.
   */
  private static final long LOSS_UNSEEN_NANOS = 70_000_000_000L;

  /** Of where the tokens have changed: what it had learnt is of no use any more. */
  private static final long FORGOTTEN_NANOS = 600_000_000_000L;

  /** A requester still wants a place if it asked within the longest wait of an accepted request. */
  private static final long WANTS_NANOS = (long) (LaneTerms.PROMISE_SECONDS_MAX * 1e9);

  final SigningPool pool;
  final Lanes lanes;
  final Requesters requesters = new Requesters(WANTS_NANOS);
  final AdmissionPolicy refusals;
  private long askedAtNanos;
  private boolean signerLost;
  private long signerLostSinceNanos;

  /** When a request last found the signer lost. */
  private long signerLostSeenNanos;

  /**
   * The node's places, which are memory, whatever signing pool they are taken for.
   *
   * <p>A signing pool may take places by the rule by which a requester takes those of its lane
   * ({@link AdmissionPolicy#SHARE_OF_FREE}): equal among those that want much, and one that signs
   * nothing any more leaves a fifth to the others.
   */
  static final class Places {
    private final int max;
    private int taken;
    private int pools;

    Places(int max) {
      this.max = max;
    }

    int max() {
      return max;
    }

    int taken() {
      return taken;
    }

    void take() {
      taken++;
    }

    void giveBack() {
      taken--;
    }

    void pools(int count) {
      pools = count;
    }

    /**
     * Returns how many more a signing pool may take that has {@code own}; one alone is not bounded.
     */
    int free(int own) {
      int free = Math.max(0, max - taken);
      return pools < 2
          ? max
          : Math.clamp((long) AdmissionPolicy.SHARE_OF_FREE * free - own, 0, free);
    }
  }

  SignerQueue(
      SigningPool pool,
      Places places,
      DoubleSupplier signerPerSecond,
      RetryAfter retryAfter,
      long nowNanos) {
    this.pool = pool;
    this.lanes = new Lanes(places, signerPerSecond, nowNanos);
    this.refusals = new AdmissionPolicy(lanes, requesters, retryAfter);
    this.askedAtNanos = nowNanos;
  }

  void asked(long nowNanos) {
    askedAtNanos = nowNanos;
  }

  /**
   * Returns whether the line can be dropped: it is empty, and has had no request for ten minutes.
   */
  boolean isForgotten(long nowNanos) {
    return lanes.inFlight() == 0 && nowNanos - askedAtNanos > FORGOTTEN_NANOS;
  }

  void signerIsThere() {
    signerLost = false;
  }

  /** Returns for how long no token of this signing pool could sign. */
  double lostSeconds(long nowNanos) {
    if (!signerLost || nowNanos - signerLostSeenNanos > LOSS_UNSEEN_NANOS) {
      signerLost = true;
      signerLostSinceNanos = nowNanos;
    }
    signerLostSeenNanos = nowNanos;
    return (nowNanos - signerLostSinceNanos) / 1e9;
  }
}
