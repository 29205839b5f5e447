package org.sluiceca.api.observe.trace;

import jakarta.servlet.Filter;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.hsm.SignObservation;
import org.sluiceca.hsm.SignRequest;

/** No collector, no spans. */
final class NoTracing implements Tracing {

  @Override
  public Optional<Filter> requests() {
    return Optional.empty();
  }

  @Override
  public EventSink events() {
    return event -> {};
  }

  @Override
  public Supplier<Consumer<SignObservation>> signatures() {
    return () -> SignRequest.UNWATCHED;
  }

  @Override
  public ExecutorService continued(ExecutorService executor) {
    return executor;
  }

  @Override
  public void close() {}
}
