package org.sluiceca.api.observe.trace;

import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.micrometer.tracing.propagation.Propagator;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import jakarta.servlet.Filter;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.hsm.SignObservation;

/** Spans by OpenTelemetry. */
final class OtlpTracing implements Tracing {

  private static final String NAME = "sluice";

  /** Of a collector that does not answer; only the thread that sends waits for it. */
  private static final Duration SEND_MAX = Duration.ofSeconds(5);

  /** 1 KB each; the newest are dropped when it is full. */
  private static final int WAITING_MAX = 2_048;

  private final SdkTracerProvider provider;
  private final Tracer tracer;
  private final Propagator propagator;

  /**
   * Gives its spans to {@code processor}.
   *
   * @param sampled the part of traces that is kept, above 0, at most 1
   */
  OtlpTracing(SpanProcessor processor, double sampled, String node) {
    Attributes identity =
        Attributes.builder().put("service.name", NAME).put("service.instance.id", node).build();
    this.provider =
        SdkTracerProvider.builder()
            .setResource(Resource.create(identity))
            // By the trace's id alone: the caller's flag is the caller's word.
            .setSampler(Sampler.traceIdRatioBased(sampled))
            .addSpanProcessor(processor)
            .build();
    io.opentelemetry.api.trace.Tracer spans = provider.get(NAME);
    this.tracer = new OtelTracer(spans, new OtelCurrentTraceContext(), event -> {});
    this.propagator =
        new OtelPropagator(
            ContextPropagators.create(W3CTraceContextPropagator.getInstance()), spans);
  }

  static OtlpTracing to(URI collector, double sampled, String node) {
    OtlpHttpSpanExporter exporter =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(collector.toString())
            .setTimeout(SEND_MAX)
            .build();
    SpanProcessor batches =
        BatchSpanProcessor.builder(exporter)
            .setMaxQueueSize(WAITING_MAX)
            .setExporterTimeout(SEND_MAX)
            .build();
    return new OtlpTracing(batches, sampled, node);
  }

  @Override
  public Optional<Filter> requests() {
    return Optional.of(new RequestSpans(tracer, propagator));
  }

  @Override
  public EventSink events() {
    return new LineMarks(tracer);
  }

  @Override
  public Supplier<Consumer<SignObservation>> signatures() {
    return new SignatureSpans(tracer);
  }

  @Override
  public ExecutorService continued(ExecutorService executor) {
    return Context.taskWrapping(executor);
  }

  @Override
  public void close() {
    var _ = provider.shutdown().join(SEND_MAX.toSeconds(), TimeUnit.SECONDS);
  }
}
