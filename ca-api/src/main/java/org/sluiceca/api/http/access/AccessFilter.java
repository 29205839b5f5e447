package org.sluiceca.api.http.access;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.sluiceca.api.http.RequestFilter;
import org.sluiceca.api.http.edge.RequestId;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Gives each request of a client its line in the access log. Thread-safe; never waits. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class AccessFilter extends RequestFilter {

  private static final String REQUESTER = AccessFilter.class.getName() + ".requester";

  private final AccessLog log;
  private final RouteNames names;
  private final OwnRequests own;
  private final InstantSource clock;

  AccessFilter(AccessLog log, RouteNames names, OwnRequests own, InstantSource clock) {
    this.log = log;
    this.names = names;
    this.own = own;
    this.clock = clock;
  }

  /** Notes who has authenticated, for the request's line. */
  public static void authenticated(HttpServletRequest request, String requester) {
    request.setAttribute(REQUESTER, requester);
  }

  @Override
  protected void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (!log.isOn() || own.contains(request)) {
      chain.doFilter(request, response);
      return;
    }
    long begun = System.nanoTime();
    QueueWait wait = new QueueWait();
    boolean isDone = false;
    try {
      wait.during(() -> chain.doFilter(request, response));
      isDone = true;
    } finally {
      // What was sent stands: a connection may be ended behind its answer by an exception.
      int answered =
          isDone || response.isCommitted()
              ? response.getStatus()
              : HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
      log.add(answered, () -> line(request, answered, System.nanoTime() - begun, wait));
    }
  }

  private AccessLine line(HttpServletRequest request, int status, long nanos, QueueWait wait) {
    String id = RequestId.of(request);
    return new AccessLine(
        clock.instant(),
        id == null ? "" : id,
        HttpMethods.nameOf(request.getMethod()),
        names.of(request),
        status,
        TimeUnit.NANOSECONDS.toMillis(nanos),
        TimeUnit.NANOSECONDS.toMillis(wait.nanos()),
        request.getAttribute(REQUESTER) instanceof String requester
            ? Optional.of(requester)
            : Optional.empty(),
        log.hasAddress() ? Optional.of(request.getRemoteAddr()) : Optional.empty());
  }
}
