package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A node sends to a collector of OTLP over HTTP where an enrollment's time went. */
class TracesIT {

  private static final List<Span> TOLD = new CopyOnWriteArrayList<>();
  private static final HttpServer COLLECTOR = collector();

  @RegisterExtension
  static final TrialExtension TRIAL =
      TrialExtension.own(
          folder ->
              Trial.Options.nodes(1)
                  .with(
                      Map.of(
                          "SLUICE_TRACING_ENDPOINT",
                          "http://127.0.0.1:" + COLLECTOR.getAddress().getPort() + "/v1/traces",
                          "SLUICE_TRACING_SAMPLED",
                          "1")));

  /** Batches leave after five seconds at most. */
  private static final Duration TOLD_WITHIN = Duration.ofSeconds(60);

  private static HttpServer collector() {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext(
          "/v1/traces",
          exchange -> {
            ExportTraceServiceRequest request =
                ExportTraceServiceRequest.parseFrom(exchange.getRequestBody());
            request
                .getResourceSpansList()
                .forEach(r -> r.getScopeSpansList().forEach(s -> TOLD.addAll(s.getSpansList())));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
          });
      server.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterAll
  static void stop() {
    COLLECTOR.stop(0);
  }

  @Test
  void enroll_traced_queueAndHsmAreSpansBelowTheCallers() {
    String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    Csr csr = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "traced.example.com");

    TRIAL
        .trial()
        .enroller()
        .with("traceparent", "00-" + trace + "-00f067aa0ba902b7-01")
        .enroll("tls-server", csr.pemBytes())
        .is(201);

    Duration took = Poll.until("the spans are told", TOLD_WITHIN, () -> of(trace).size() >= 3);
    Evidence.note("an enrollment's spans were told after " + Evidence.millis(took));
    Span request = named(trace, "POST /v1/certificates");
    Span queue = named(trace, "sign queue");
    Span hsm = named(trace, "hsm sign");
    assertThat(request.getEventsList())
        .extracting(Span.Event::getName)
        .containsExactly("admitted", "recorded", "signed", "issued");
    assertThat(List.of(queue.getParentSpanId(), hsm.getParentSpanId()))
        .containsOnly(request.getSpanId());
    assertThat(hsm.getEndTimeUnixNano()).isGreaterThan(hsm.getStartTimeUnixNano());
    assertThat(request.toString()).doesNotContain("traced.example.com");
  }

  private static List<Span> of(String trace) {
    return TOLD.stream()
        .filter(s -> java.util.HexFormat.of().formatHex(s.getTraceId().toByteArray()).equals(trace))
        .toList();
  }

  private static Span named(String trace, String name) {
    return of(trace).stream().filter(s -> s.getName().equals(name)).findFirst().orElseThrow();
  }
}
