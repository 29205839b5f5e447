package org.sluiceca.api.observe.trace;

import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.http.edge.RequestId;
import org.springframework.web.servlet.HandlerMapping;

/**
 * A span for each request, below the caller's (W3C Trace Context), named by its route: a path may
 * hold anything, and so may a method.
 */
final class RequestSpans extends HttpFilter {

  private static final long serialVersionUID = 1;

  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH");

  private final transient Tracer tracer;
  private final transient Propagator propagator;

  RequestSpans(Tracer tracer, Propagator propagator) {
    this.tracer = tracer;
    this.propagator = propagator;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String method = METHODS.contains(request.getMethod()) ? request.getMethod() : "_OTHER";
    Span span =
        propagator
            .extract(request, HttpServletRequest::getHeader)
            .kind(Span.Kind.SERVER)
            .name(method)
            .tag("http.request.method", method)
            .start();
    Tracer.SpanInScope scope = tracer.withSpan(span);
    try {
      chain.doFilter(request, response);
    } finally {
      scope.close();
      Object route = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
      if (route != null) {
        span.name(method + " " + route).tag("http.route", route.toString());
      }
      @Nullable String id = RequestId.of(request);
      if (id != null) {
        span.tag("sluice.request.id", id);
      }
      span.tag("http.response.status_code", response.getStatus()).end();
    }
  }
}
