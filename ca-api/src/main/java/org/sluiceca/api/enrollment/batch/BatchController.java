package org.sluiceca.api.enrollment.batch;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.http.connector.SlotExtension;
import org.sluiceca.api.http.edge.BodyLimit;
import org.sluiceca.api.http.edge.Preference;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.api.issuance.IssuanceService;
import org.sluiceca.api.issuer.IssuerChains;
import org.sluiceca.api.platform.share.FairPlaces;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.time.Ticker;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** {@code /v1/certificates:batch}: lines of JSON in, a result of each out, in any order. */
@RestController
final class BatchController {

  private static final String NDJSON = "application/x-ndjson";

  /** Each may hold 2 MB and a connection's buffers. */
  private static final int BATCHES_MAX = 4;

  /** Batches last for minutes. */
  private static final Duration RETRY = Duration.ofSeconds(30);

  private final LineEnrollment enrollment;
  private final JsonMapper json;
  private final Ticker ticker;
  private final MeterRegistry registry;
  private final FairPlaces<RequesterId> places = new FairPlaces<>(BATCHES_MAX);

  BatchController(
      IssuanceService issuance,
      IssuerCatalog issuers,
      JsonMapper json,
      Ticker ticker,
      MeterRegistry registry) {
    this.enrollment = new LineEnrollment(issuance, new IssuerChains(issuers, json), json, ticker);
    this.json = json;
    this.ticker = ticker;
    this.registry = registry;
    Gauge.builder("ca.batches", places, FairPlaces::taken).register(registry);
  }

  @PostMapping(path = BodyLimit.LINES_PATH, consumes = NDJSON, produces = NDJSON)
  void enroll(
      @AuthenticationPrincipal Requester requester,
      @RequestHeader(name = "Prefer", required = false) @Nullable String prefer,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException, InterruptedException {
    if (!places.take(requester.account())) {
      throw new ProblemException(
          ProblemType.SATURATED,
          String.format(
              Locale.ROOT,
              "this node works on %d of at most %d batches at once, and a requester may have no more of them than stay free",
              places.taken(),
              places.max()),
          RETRY,
          null);
    }
    boolean isOrder = Preference.of(prefer).respondAsync();
    try {
      response.setContentType(NDJSON);
      if (isOrder) {
        response.setHeader(Preference.APPLIED, Preference.RESPOND_ASYNC);
      }
      new BatchRun(
              (who, line, over) -> enrollment.enroll(who, line, isOrder, over),
              json,
              ticker,
              SlotExtension::extend,
              this::count)
          .run(requester, request.getInputStream(), response.getOutputStream());
    } finally {
      places.giveBack(requester.account());
    }
  }

  /** Status codes are a closed set: {@link ProblemType}'s, 201 and 202. */
  private void count(LineResult result) {
    registry.counter("ca.batch.lines", "status", Integer.toString(result.status())).increment();
  }
}
