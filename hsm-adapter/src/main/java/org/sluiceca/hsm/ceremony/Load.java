package org.sluiceca.hsm.ceremony;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.pkcs11.CryptokiException;
import org.sluiceca.hsm.pkcs11.Session;
import org.sluiceca.hsm.pkcs11.Token;

/**
 * Keeps a number of jobs in a token for a moment, of one kind or of several side by side; a thread
 * and a session for each.
 */
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
  private final AtomicInteger counting = new AtomicInteger();

  Load(Token token) {
    this.token = token;
  }

  /** Jobs with one key, {@code inFlight} at a time. */
  record Stream(Calibrator.SessionKey key, int inFlight) {}

  /** What came of one thread. */
  private sealed interface Part {
    record Counted(Calibrator.SessionKey key, double rate) implements Part {}

    record Failed(RuntimeException why) implements Part {}
  }

  /**
   * Returns the signatures a second with each key. Blocks for a few responses of each.
   *
   * @throws CryptokiException if the token refuses one, busy included
   */
  Map<Calibrator.SessionKey, Double> rates(List<Stream> streams) {
    List<Calibrator.SessionKey> keys =
        streams.stream().flatMap(s -> Collections.nCopies(s.inFlight(), s.key()).stream()).toList();
    List<Session> sessions = new ArrayList<>();
    try {
      for (int i = 0; i < keys.size(); i++) {
        sessions.add(token.openSession(false));
      }
    } catch (CryptokiException e) {
      sessions.forEach(Session::close);
      throw e;
    }
    counting.set(keys.size());
    BlockingQueue<Part> parts = new ArrayBlockingQueue<>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      Session session = sessions.get(i);
      Calibrator.SessionKey key = keys.get(i);
      // Daemon: a call that hangs must not keep the ceremony from ending.
      Thread.ofPlatform().daemon().name("calibrate").start(() -> parts.add(run(session, key)));
    }
    return sums(parts, keys.size());
  }

  private static Map<Calibrator.SessionKey, Double> sums(BlockingQueue<Part> parts, int count) {
    Map<Calibrator.SessionKey, Double> rates = new HashMap<>();
    RuntimeException failure = null;
    try {
      for (int i = 0; i < count; i++) {
        switch (parts.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
          case null -> throw new HsmException.Unexpected("a call of the calibration hangs", true);
          case Part.Counted(Calibrator.SessionKey key, double counted) ->
              rates.merge(key, counted, Double::sum);
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
    return rates;
  }

  // The catch-all of an owned thread: whatever happens, the others hear of it.
  @SuppressWarnings("CatchingUnchecked")
  private Part run(Session session, Calibrator.SessionKey key) {
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
      return new Part.Counted(key, count * 1e9 / nanos);
    } catch (RuntimeException e) {
      // Let the others end.
      counting.set(0);
      return new Part.Failed(e);
    }
  }
}
