package org.sluiceca.api.http.edge;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Gives each request an id that stands in its log lines, its answer and its problems. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class RequestId extends OncePerRequestFilter {

  /** The response header that carries the id. */
  public static final String HEADER = "X-Request-Id";

  private static final String ATTRIBUTE = RequestId.class.getName();
  private static final String MDC_KEY = "requestId";

  /** Returns the id of a request that has passed here. */
  public static @Nullable String of(HttpServletRequest request) {
    return (String) request.getAttribute(ATTRIBUTE);
  }

  /** Returns a new id. Not a secret and not a key: it only has to differ from others in a log. */
  public static String fresh() {
    return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
  }

  /** What the container refuses by itself comes here only on its way to the answer. */
  @Override
  protected boolean shouldNotFilterErrorDispatch() {
    return false;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    // One that fails is dispatched again, and its failure is logged then.
    String known = of(request);
    String id = known == null ? fresh() : known;
    request.setAttribute(ATTRIBUTE, id);
    response.setHeader(HEADER, id);
    MDC.put(MDC_KEY, id);
    try {
      chain.doFilter(request, response);
    } finally {
      MDC.remove(MDC_KEY);
    }
  }
}
