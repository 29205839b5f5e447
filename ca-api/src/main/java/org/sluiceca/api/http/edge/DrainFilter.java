package org.sluiceca.api.http.edge;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.sluiceca.api.http.RequestFilter;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;

/**
 * Ends the connections of a node that leaves, each with its next answer, while the node still
 * serves: a client's next request goes by a new connection, which a load balancer leads elsewhere
 * (RFC 9112 9.6). Thread-safe.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class DrainFilter extends RequestFilter {

  private volatile boolean isLeaving;

  /** Every answer from now on is the last of its connection. */
  public void begin() {
    isLeaving = true;
  }

  @Override
  protected void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (isLeaving) {
      response.setHeader(HttpHeaders.CONNECTION, "close");
    }
    chain.doFilter(request, response);
  }
}
