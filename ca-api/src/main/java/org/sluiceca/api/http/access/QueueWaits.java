package org.sluiceca.api.http.access;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.sluiceca.hsm.SignObservation;

/** Joins what the token reports of a signature to the line of its request in the access log. */
public final class QueueWaits {

  private QueueWaits() {}

  /**
   * Returns watchers that count a signature's wait for the request of the thread that asks for it,
   * and then call those of {@code others}.
   */
  public static Supplier<Consumer<SignObservation>> joined(
      Supplier<Consumer<SignObservation>> others) {
    return () -> {
      Consumer<SignObservation> other = others.get();
      Optional<LongConsumer> counter = QueueWait.counter();
      return counter.isEmpty()
          ? other
          : signing -> {
            counter.get().accept(signing.waitNanos());
            other.accept(signing);
          };
    };
  }
}
