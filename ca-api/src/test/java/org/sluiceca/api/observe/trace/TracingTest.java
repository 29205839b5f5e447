package org.sluiceca.api.observe.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.hsm.Lane;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SignObservation;
import org.sluiceca.hsm.SignOutcome;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.SignatureClass;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.servlet.HandlerMapping;

class TracingTest {

  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String CALLER = "00f067aa0ba902b7";
  private static final SerialNumber SERIAL = SerialNumber.parse("01" + "0".repeat(36));
  private static final SignObservation SIGNING =
      new SignObservation(
          Lane.INTERACTIVE,
          "alice",
          new SignatureClass(Mechanism.ECDSA_SHA256, 256),
          30_000_000,
          5_000_000,
          SignOutcome.SIGNED);

  private final InMemorySpanExporter exported = InMemorySpanExporter.create();
  private final Tracing tracing =
      new OtlpTracing(SimpleSpanProcessor.create(exported), 1, "node-0");

  @AfterEach
  void close() {
    tracing.close();
  }

  private interface SigningCost {
    void run() throws IOException, ServletException;
  }

  private static void request(Tracing tracing, SigningCost work)
      throws IOException, ServletException {
    MockHttpServletRequest request = new MockHttpServletRequest("POST", "/v1/certificates");
    request.addHeader("traceparent", "00-" + TRACE + "-" + CALLER + "-01");
    tracing
        .requests()
        .orElseThrow()
        .doFilter(
            request,
            new MockHttpServletResponse(),
            (req, res) -> {
              req.setAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE, "/v1/certificates");
              work.run();
            });
  }

  private SpanData span(String name) {
    return exported.getFinishedSpanItems().stream()
        .filter(s -> s.getName().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new AssertionError(name + " is not in " + exported.getFinishedSpanItems()));
  }

  @Test
  void request_withATraceOfItsCaller_isASpanOfItNamedByRoute() throws Exception {
    request(tracing, () -> {});

    SpanData span = span("POST /v1/certificates");
    assertThat(span.getTraceId()).isEqualTo(TRACE);
    assertThat(span.getParentSpanId()).isEqualTo(CALLER);
    assertThat(span.getAttributes().get(AttributeKey.longKey("http.response.status_code")))
        .isEqualTo(200);
  }

  @Test
  void request_methodOfTheCallersMaking_isNoName() throws Exception {
    MockHttpServletRequest request = new MockHttpServletRequest("x".repeat(500), "/v1/nowhere");
    tracing
        .requests()
        .orElseThrow()
        .doFilter(request, new MockHttpServletResponse(), (req, res) -> {});

    assertThat(span("_OTHER").getAttributes().size()).isEqualTo(2);
  }

  @Test
  void signature_heardOnAnotherThread_queueAndTokenAreSpansOfTheRequest() throws Exception {
    request(
        tracing,
        () -> {
          Consumer<SignObservation> watcher = tracing.signatures().get();
          CompletableFuture.runAsync(() -> watcher.accept(SIGNING)).join();
        });

    SpanData parent = span("POST /v1/certificates");
    SpanData queue = span("sign queue");
    SpanData token = span("hsm sign");
    assertThat(List.of(queue.getParentSpanId(), token.getParentSpanId()))
        .containsOnly(parent.getSpanId());
    assertThat(queue.getEndEpochNanos() - queue.getStartEpochNanos()).isEqualTo(30_000_000);
    assertThat(token.getEndEpochNanos() - token.getStartEpochNanos()).isEqualTo(5_000_000);
    assertThat(queue.getEndEpochNanos()).isEqualTo(token.getStartEpochNanos());
    assertThat(token.getAttributes().get(AttributeKey.stringKey("sluice.outcome")))
        .isEqualTo("SIGNED");
  }

  @Test
  void signature_droppedInTheQueue_hasNoSpanInTheToken() throws Exception {
    SignObservation dropped =
        new SignObservation(
            Lane.BULK, "alice", SIGNING.signatureClass(), 30_000_000, 0, SignOutcome.DROPPED);
    request(tracing, () -> tracing.signatures().get().accept(dropped));

    assertThat(exported.getFinishedSpanItems())
        .extracting(SpanData::getName)
        .containsExactlyInAnyOrder("sign queue", "POST /v1/certificates");
  }

  @Test
  void event_inATaskOfTheRequest_marksItsSpan() throws Exception {
    try (ExecutorService tasks =
        tracing.continued(Executors.newThreadPerTaskExecutor(Thread.ofVirtual().factory()))) {
      request(
          tracing,
          () ->
              CompletableFuture.runAsync(
                      () -> tracing.events().accept(new CaEvent.SignatureMade(SERIAL, 1)), tasks)
                  .join());
    }

    assertThat(span("POST /v1/certificates").getEvents())
        .extracting(EventData::getName)
        .containsExactly("signed");
  }

  @Test
  void signature_outsideOfARequest_nobodyHears() {
    assertThat(tracing.signatures().get()).isSameAs(SignRequest.UNWATCHED);
  }

  @Test
  void request_callerWantsItTraced_isTracedByChanceAllTheSame() throws Exception {
    InMemorySpanExporter none = InMemorySpanExporter.create();
    try (Tracing rare = new OtlpTracing(SimpleSpanProcessor.create(none), 1e-9, "node-0")) {
      request(rare, () -> assertThat(rare.signatures().get()).isSameAs(SignRequest.UNWATCHED));
    }

    assertThat(none.getFinishedSpanItems()).isEmpty();
  }

  @Test
  void of_noEndpoint_nothingIsTraced() {
    try (Tracing none = Tracing.of(new TraceSettings("", 1), "node-0")) {
      assertThat(none.requests()).isEmpty();
      assertThat(none.signatures().get()).isSameAs(SignRequest.UNWATCHED);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"collector:4318", "ftp://c/", "http://me:secret@c/", "http:///v1", "/v1"})
  void settings_noUrlOfACollector_refused(String endpoint) {
    assertThatThrownBy(() -> new TraceSettings(endpoint, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("secret");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, 1.01, Double.NaN})
  void settings_noPart_refused(double sampled) {
    assertThatThrownBy(() -> new TraceSettings("", sampled))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
