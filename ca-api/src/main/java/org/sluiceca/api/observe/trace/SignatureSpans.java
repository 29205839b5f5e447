package org.sluiceca.api.observe.trace;

import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.sluiceca.hsm.SignObservation;
import org.sluiceca.hsm.SignRequest;

/**
 * Records how long a job waited in the queue, and how long the token worked on it, as two spans.
 * They are made when the job is done, on the session thread, below the span of the request's
 * thread.
 */
final class SignatureSpans implements Supplier<Consumer<SignObservation>> {

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final Tracer tracer;

  SignatureSpans(Tracer tracer) {
    this.tracer = tracer;
  }

  @Override
  public Consumer<SignObservation> get() {
    Span current = tracer.currentSpan();
    if (current == null || current.isNoop() || !Boolean.TRUE.equals(current.context().sampled())) {
      return SignRequest.UNWATCHED;
    }
    TraceContext parent = current.context();
    return signing -> tell(parent, signing);
  }

  private void tell(TraceContext parent, SignObservation signing) {
    Instant now = Instant.now();
    long ended = now.getEpochSecond() * NANOS_PER_SECOND + now.getNano();
    long taken = ended - signing.serviceNanos();
    span("sign queue", parent, taken - signing.waitNanos(), taken, signing);
    if (signing.serviceNanos() > 0) {
      span("hsm sign", parent, taken, ended, signing);
    }
  }

  private void span(String name, TraceContext parent, long from, long to, SignObservation signing) {
    tracer
        .spanBuilder()
        .setParent(parent)
        .name(name)
        .tag("sluice.lane", signing.lane().name())
        .tag("sluice.alg", signing.signatureClass().toString())
        .tag("sluice.outcome", signing.outcome().name())
        .startTimestamp(from, TimeUnit.NANOSECONDS)
        .start()
        .end(to, TimeUnit.NANOSECONDS);
  }
}
