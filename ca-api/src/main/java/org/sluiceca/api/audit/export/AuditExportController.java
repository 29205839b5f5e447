package org.sluiceca.api.audit.export;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.RequesterId;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code GET /v1/audit}: the audit trail for auditors, as JSON lines, page by page. {@code Link}
 * (RFC 8288) names the next page; the last one has none.
 */
@RestController
final class AuditExportController {

  private static final String PATH = "/v1/audit";
  private static final String NDJSON = "application/x-ndjson";

  private final AuditExports exports;
  private final AuditTrail trail;

  /** Whose export was recorded by this node in the last ten minutes; some hundred bytes each. */
  private final Cache<RequesterId, Boolean> recorded =
      Caffeine.newBuilder().maximumSize(1_000).expireAfterWrite(Duration.ofMinutes(10)).build();

  AuditExportController(AuditExports exports, AuditTrail trail, MeterRegistry registry) {
    this.exports = exports;
    this.trail = trail;
    Gauge.builder("ca.audit.exports", exports, AuditExports::taken).register(registry);
  }

  @GetMapping(path = PATH, produces = NDJSON)
  void export(
      @AuthenticationPrincipal Requester auditor,
      @RequestParam MultiValueMap<String, String> parameters,
      HttpServletResponse response)
      throws IOException {
    ExportQuery query = ExportQuery.of(parameters);
    exports.take(auditor.id());
    try {
      record(auditor.id(), query);
      send(exports.page(auditor.id(), query), query, response);
    } finally {
      exports.giveBack(auditor.id());
    }
  }

  /**
   * From the beginning always, and in the middle, where any export may begin, if that was not done
   * for a while: with a row for each page an export would never reach the end of the trail.
   */
  private void record(RequesterId auditor, ExportQuery query) {
    if (query.after().equals(ExportPlace.begin()) || recorded.getIfPresent(auditor) == null) {
      recorded.put(auditor, true);
      // Equal facts are one row with their count, however often they ask.
      trail.record(new Fact(AuditKind.AUDIT_EXPORT, auditor.value(), Map.of()));
    }
  }

  private static void send(AuditExports.Page page, ExportQuery query, HttpServletResponse response)
      throws IOException {
    response.setContentType(NDJSON);
    page.next()
        .ifPresent(
            next ->
                response.setHeader(
                    HttpHeaders.LINK,
                    "<" + PATH + "?after=" + next.escaped() + query.given() + ">; rel=\"next\""));
    OutputStream out = response.getOutputStream();
    for (AuditRow row : page.rows()) {
      out.write((ExportLine.of(row) + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }
}
