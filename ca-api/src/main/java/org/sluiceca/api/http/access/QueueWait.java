package org.sluiceca.api.http.access;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * How long the signatures of one request waited for a token, together. Follows the request to the
 * threads that work for it. Thread-safe.
 */
public final class QueueWait {

  private static final ScopedValue<QueueWait> CURRENT = ScopedValue.newInstance();

  private final AtomicLong nanos = new AtomicLong();

  /** The rest of a filter chain. */
  @FunctionalInterface
  interface Chain {
    void run() throws IOException, ServletException;
  }

  /** Carries a servlet's exception through a scope, which lets one type pass. */
  private static final class Carrier extends IOException {
    private static final long serialVersionUID = 1L;

    private final ServletException carried;

    Carrier(ServletException carried) {
      super(carried);
      this.carried = carried;
    }
  }

  /** Runs the chain; what is signed meanwhile for it is counted here. */
  void during(Chain chain) throws IOException, ServletException {
    try {
      boolean _ =
          ScopedValue.where(CURRENT, this)
              .<Boolean, IOException>call(
                  () -> {
                    try {
                      chain.run();
                    } catch (ServletException e) {
                      throw new Carrier(e);
                    }
                    return true;
                  });
    } catch (Carrier e) {
      throw e.carried;
    }
  }

  long nanos() {
    return nanos.get();
  }

  /** Returns the task, to be run on another thread for the request of this one, if there is one. */
  public static Runnable carried(Runnable task) {
    if (!CURRENT.isBound()) {
      return task;
    }
    QueueWait wait = CURRENT.get();
    return () -> ScopedValue.where(CURRENT, wait).run(task);
  }

  /**
   * Returns what takes the nanoseconds that a signature waited, for the request of this thread;
   * empty if it works for none.
   */
  public static Optional<LongConsumer> counter() {
    return CURRENT.isBound() ? Optional.of(CURRENT.get().nanos::addAndGet) : Optional.empty();
  }
}
