package org.sluiceca.api.revocation.crl;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.sluiceca.api.platform.PeriodicTask;
import org.sluiceca.api.platform.change.ChangeWatch;
import org.sluiceca.api.platform.change.Rest;
import org.sluiceca.api.platform.change.Topic;
import org.sluiceca.core.crl.CrlIssuance;
import org.sluiceca.core.crl.CrlSpacing;
import org.sluiceca.core.crl.CrlStore;
import org.sluiceca.core.crl.CrlTerms;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.x509.IssuerName;

/**
 * Keeps the CRLs of a node new: it asks where every scope stands, fetches what other nodes signed,
 * and issues what is due. It does so four times a second while something is to be done, and else
 * rests until a change, or until a CRL is due. Owns one platform thread, because it runs for the
 * life of the node; a revocation that this node recorded wakes it.
 */
public final class CrlLoop implements EventSink, AutoCloseable {

  /** Others' CRLs are seen within this time: a quarter of the second in which one is known. */
  static final Duration PAUSE = Duration.ofMillis(250);

  /** The longest rest while every CRL is as it has to be: the change watch ends it. */
  private static final Duration PAUSE_RESTING = Duration.ofSeconds(30);

  private static final Duration SWEEP_PERIOD = Duration.ofMinutes(1);

  /** Where the scopes are many and asking takes long, a fifth of the time is spent on it. */
  private static final int PAUSES_PER_LOOK = 4;

  /** While a revocation of this node's own is not on its CRL. */
  private static final Duration PAUSE_EAGER = Duration.ofMillis(100);

  private static final Duration STOP_WAIT_MAX = CrlIssuance.SIGN_MAX.plusSeconds(1);

  /**
   * What it works with.
   *
   * @param isSignable whether this node can sign for an issuer now
   * @param signers where an issuer's CRLs are signed, and how long that takes; empty if unknown.
   *     Must return at once
   * @param node this node's name, for the record
   * @param sweep revokes what was given up after it may have been signed
   */
  public record Parts(
      CrlStore store,
      CrlIssuance issuance,
      IssuerCatalog issuers,
      Predicate<IssuerName> isSignable,
      Function<IssuerName, Optional<CrlSpacing.Signer>> signers,
      CrlFolder folder,
      Runnable sweep,
      String node) {}

  private final Parts parts;
  private final CrlTerms terms;
  private final CrlMetrics metrics;
  private final Ticker ticker;
  private final WaitingCrls waiting;

  /** How long this node leaves to others what it did not cause. */
  private final Duration patience;

  private volatile boolean isEager;
  private final PeriodicTask task =
      new PeriodicTask(
          new PeriodicTask.Terms(
              CrlLoop.class, "crl", "CRLs wait", Duration.ZERO, PAUSE, STOP_WAIT_MAX),
          isStopping -> step());

  // Set before the thread starts.
  private Rest rest = Rest.never();

  // Owned by the thread.
  private long sweepAtNanos = System.nanoTime();

  /** Makes the loop; {@link #start} starts it. */
  public CrlLoop(
      Parts parts, CrlTerms terms, CrlMetrics metrics, RandomGenerator random, Ticker ticker) {
    this.parts = parts;
    this.terms = terms;
    this.metrics = metrics;
    this.ticker = ticker;
    this.waiting = new WaitingCrls(parts.issuers(), parts.isSignable(), parts.signers(), terms);
    Duration least = WaitingCrls.PATIENCE_MIN;
    this.patience = least.plusMillis(random.nextInt((int) least.toMillis()));
  }

  /** Rests from now on while nothing is to be done. Before {@link #start}. */
  public void restUntilChanged(ChangeWatch changes) {
    rest = changes.rest(List.of(Topic.REVOCATIONS, Topic.CRLS), task::wake);
  }

  /** Starts the thread. */
  public void start() {
    task.start();
  }

  /** Hears of revocations that this node recorded. */
  @Override
  public void accept(CaEvent event) {
    if (event instanceof CaEvent.CertificateRevoked
        || event instanceof CaEvent.CertificatesRevoked
        || event instanceof CaEvent.HoldReleased) {
      isEager = true;
      task.wake();
    }
  }

  /** Looks once; returns how long to wait. Of the owned thread, or in its place. */
  Duration step() {
    rest.begin();
    CrlPass pass = pass();
    Duration share = pass.lookTime().multipliedBy(PAUSES_PER_LOOK);
    if (pass.isLeft()) {
      Duration wait = share.minus(pass.sinceLook());
      return wait.isNegative() ? Duration.ZERO : wait;
    }
    if (isEager || share.compareTo(PAUSE) > 0) {
      // Waiting for a turn takes seconds: then the others' pace will do.
      Duration least = isEager && pass.isPressing() ? PAUSE_EAGER : PAUSE;
      return least.compareTo(share) > 0 ? least : share;
    }
    Duration idle =
        new CrlRest(terms, name -> parts.folder().number(name)).idle(pass.states(), PAUSE_RESTING);
    // Nothing wakes the loop for what may have been signed.
    Duration untilSweep = Duration.ofNanos(sweepAtNanos - System.nanoTime());
    Duration most = idle.compareTo(untilSweep) < 0 ? idle : untilSweep;
    return most.compareTo(PAUSE) > 0 ? rest.pause(PAUSE, most) : PAUSE;
  }

  /** Looks once and does what is due. Of the owned thread, or in its place. */
  @CanIgnoreReturnValue
  CrlPass pass() {
    if (System.nanoTime() - sweepAtNanos >= 0) {
      sweepAtNanos = System.nanoTime() + SWEEP_PERIOD.toNanos();
      parts.sweep().run();
    }
    boolean wasEager = isEager;
    Duration left = wasEager ? Duration.ZERO : patience;
    CrlPass pass = new CrlPass(parts, terms, waiting, metrics, ticker, left);
    pass.run();
    if (wasEager && !pass.isOpen() && !task.isWoken()) {
      isEager = false;
    }
    return pass;
  }

  /** Ends the thread after its present pass, waiting as long as a signature may take. */
  @Override
  public void close() {
    task.close();
  }
}
