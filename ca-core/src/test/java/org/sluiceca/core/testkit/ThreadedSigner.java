package org.sluiceca.core.testkit;

import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.sign.IssuerSigner;
import org.sluiceca.core.sign.PendingSignature;
import org.sluiceca.core.sign.SignSchedule;
import org.sluiceca.core.sign.Signable;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.x509.OctetString;

/** A signer that makes each prepared signature on a thread of its own, as a token's sessions do. */
public final class ThreadedSigner implements IssuerSigner {

  private final IssuerSigner blocking;

  /** Whether a signature was given up. */
  public final AtomicBoolean isAbandoned = new AtomicBoolean();

  /** Signs by {@code blocking}. */
  public ThreadedSigner(IssuerSigner blocking) {
    this.blocking = blocking;
  }

  @Override
  public OctetString sign(Signable signable, SignSchedule schedule) {
    return blocking.sign(signable, schedule);
  }

  @Override
  public PendingSignature prepare() {
    return new Threaded(Thread.currentThread());
  }

  private final class Threaded implements PendingSignature {
    private volatile Thread waiter;
    private volatile @Nullable FutureTask<OctetString> task;

    Threaded(Thread waiter) {
      this.waiter = waiter;
    }

    @Override
    public void start(Signable signable, SignSchedule schedule) {
      FutureTask<OctetString> made = new FutureTask<>(() -> blocking.sign(signable, schedule));
      task = made;
      Thread.startVirtualThread(
          () -> {
            made.run();
            LockSupport.unpark(waiter);
          });
    }

    @Override
    public boolean isUnderWay() {
      FutureTask<OctetString> started = task;
      return started != null && !started.isDone();
    }

    @Override
    public void abandon() {
      isAbandoned.set(true);
    }

    /** By the machine's time, whatever the test's. */
    @Override
    public Optional<OctetString> await(Deadline until) throws InterruptedException {
      waiter = Thread.currentThread();
      FutureTask<OctetString> started = task;
      if (started == null) {
        throw new IllegalStateException("awaited before it was started");
      }
      while (!started.isDone()) {
        long left = until.remainingNanos(System::nanoTime);
        if (left <= 0) {
          return Optional.empty();
        }
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        LockSupport.parkNanos(this, left);
      }
      return switch (started.state()) {
        case SUCCESS -> Optional.of(started.resultNow());
        case FAILED -> throw (RuntimeException) started.exceptionNow();
        case RUNNING, CANCELLED -> throw new IllegalStateException("not over");
      };
    }
  }
}
