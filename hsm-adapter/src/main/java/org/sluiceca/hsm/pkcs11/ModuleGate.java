package org.sluiceca.hsm.pkcs11;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import sun.security.pkcs11.wrapper.PKCS11Exception;

/**
 * What every native call of a module passes: calls together, C_Finalize and C_Initialize alone. A
 * hung call therefore forbids a restart, and a restart can never pull the module away from under a
 * call. Thread-safe.
 */
final class ModuleGate {
  /*
   * Lock order: the gate is the innermost lock; no other is taken while it is held.
   */

  /** Long enough for signatures under way to return; a call that takes longer may be hung. */
  private static final long QUIET_WAIT_MILLIS = 500;

  /** A call with a result. */
  interface NativeCall<T> {
    T call() throws PKCS11Exception;
  }

  /** A call without a result. */
  interface NativeRun {
    void run() throws PKCS11Exception;
  }

  /** Held shared by calls, and exclusively by a restart. */
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

  /** Changed under the lock held exclusively. */
  private final AtomicLong generation = new AtomicLong(1);

  /** The life of the module, counted from 1; a session is of one of them. */
  long generation() {
    return generation.get();
  }

  /** The sessions of before are stale from now on. Called by what runs {@link #alone}. */
  void beginGeneration() {
    generation.incrementAndGet();
  }

  /** Makes a call; see {@link #call}. */
  void run(String function, SessionHandle session, NativeRun body) {
    var _ =
        call(
            function,
            session,
            () -> {
              body.run();
              return true;
            });
  }

  /**
   * Makes a call, which blocks as long as the module does, and before that while another thread
   * restarts it.
   *
   * @param session what it is for; null if for none
   * @throws CryptokiException when the module returns an error, or the session is of an earlier
   *     life of it
   */
  <T> T call(String function, @Nullable SessionHandle session, NativeCall<T> body) {
    lock.readLock().lock();
    try {
      if (session != null && session.generation() != generation.get()) {
        throw new CryptokiException(function + " (stale session)", Ckr.SESSION_HANDLE_INVALID);
      }
      return body.call();
    } catch (PKCS11Exception e) {
      throw new CryptokiException(function, new Ckr(e.getErrorCode()));
    } finally {
      lock.readLock().unlock();
    }
  }

  /**
   * Runs {@code action} while no call is made; returns false, and does nothing, when calls do not
   * end within half a second.
   */
  boolean alone(Runnable action) {
    if (!tryQuiet()) {
      return false;
    }
    try {
      action.run();
      return true;
    } finally {
      lock.writeLock().unlock();
    }
  }

  private boolean tryQuiet() {
    try {
      return lock.writeLock().tryLock(QUIET_WAIT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
