package org.sluiceca.api.observe.trace;

import jakarta.servlet.Filter;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.hsm.SignObservation;

/** A node's tracing, which may do nothing. Thread-safe. */
public sealed interface Tracing extends AutoCloseable permits NoTracing, OtlpTracing {

  /**
   * As the settings say.
   *
   * @param node its name in the traces
   */
  static Tracing of(TraceSettings settings, String node) {
    return settings
        .collector()
        .<Tracing>map(collector -> OtlpTracing.to(collector, settings.sampled(), node))
        .orElseGet(NoTracing::new);
  }

  /** Returns what makes a span of each request; empty if nothing does. */
  Optional<Filter> requests();

  /** Returns what marks the span of the current thread with what the line reached. */
  EventSink events();

  /**
   * Returns what is asked on a request's thread for each signature, and gives what is to hear of it
   * on a session thread.
   */
  Supplier<Consumer<SignObservation>> signatures();

  /** Returns the same executor, its tasks in the span of the thread that submits them. */
  ExecutorService continued(ExecutorService executor);

  /** Sends what is left, for 5 s at most. */
  @Override
  void close();
}
