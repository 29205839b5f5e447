package org.sluiceca.hsm.ceremony;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.pkcs11.CryptokiException;
import org.sluiceca.hsm.pkcs11.Session;
import org.sluiceca.hsm.pkcs11.Token;

/** Keeps a number of jobs in a token for a moment, a thread and a session for each. */
final class Load {
  /*
   * Each thread counts between two of its own answers, so that no count has an edge, and goes on
   * signing until all have counted: none sees a token that others have already left.
   */

  /** Evens out what threads of a busy host and chance do. */
  private static final long COUNTED_NANOS = 400_000_000L;

  private static final int COUNTED_MIN = 4;

  /** RSA-4096 of a token of 7/s, for the first levels; what takes longer hangs. */
  private static final long PATIENCE_SECONDS = 60;

  private final Token token;
  private final Calibrator.SessionKey key;
  private final AtomicInteger counting = new AtomicInteger();

  Load(Token token, Calibrator.SessionKey key) {
    this.token = token;
    this.key = key;
  }

  /** What came of one thread. */
  private sealed interface Part {
    record Counted(double rate) implements Part {}

    record Failed(RuntimeException why) implements Part {}
  }

  /**
   * Returns the signatures a second with so many in the token. Blocks for a few responses of each.
   *
   * @throws CryptokiException if the token refuses one, busy included
   */
  double rate(int inFlight) {
    List<Session> sessions = new ArrayList<>();
    try {
      for (int i = 0; i < inFlight; i++) {
        sessions.add(token.openSession(false));
      }
    } catch (CryptokiException e) {
      sessions.forEach(Session::close);
      throw e;
    }
    counting.set(inFlight);
    BlockingQueue<Part> parts = new ArrayBlockingQueue<>(inFlight);
    for (Session session : sessions) {
      // Daemon: a call that hangs must not keep the ceremony from ending.
      Thread.ofPlatform().daemon().name("calibrate").start(() -> parts.add(run(session)));
    }
    return sum(parts, inFlight);
  }

  private static double sum(BlockingQueue<Part> parts, int inFlight) {
    double rate = 0;
    RuntimeException failure = null;
    try {
      for (int i = 0; i < inFlight; i++) {
        switch (parts.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
          case null -> throw new HsmException.Unexpected("a call of the calibration hangs", true);
          case Part.Counted(double counted) -> rate += counted;
          case Part.Failed(RuntimeException why) -> failure = why;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HsmException.Unexpected("the calibration was interrupted", true);
    }
    if (failure != null) {
      throw failure;
    }
    return rate;
  }

  // The catch-all of an owned thread: whatever happens, the others hear of it.
  @SuppressWarnings("CatchingUnchecked")
  private Part run(Session session) {
    try (session) {
      key.sign(session);
      long start = System.nanoTime();
      int count = 0;
      long nanos;
      do {
        key.sign(session);
        count++;
        nanos = System.nanoTime() - start;
      } while (count < COUNTED_MIN || nanos < COUNTED_NANOS);
      int left = counting.decrementAndGet();
      while (left > 0) {
        key.sign(session);
        left = counting.get();
      }
      return new Part.Counted(count * 1e9 / nanos);
    } catch (RuntimeException e) {
      // Let the others end.
      counting.set(0);
      return new Part.Failed(e);
    }
  }
}
