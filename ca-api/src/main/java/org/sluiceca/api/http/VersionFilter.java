package org.sluiceca.api.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.coyote.CloseNowException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Closes the connection of a request line without a version, HTTP/0.9, unanswered. Tomcat would
 * answer without a head: no client that a CA has expects it, and a cache or proxy in front may take
 * such a body for another answer's. Other versions than HTTP/1.0 and 1.1 are answered 505 by
 * Tomcat.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class VersionFilter extends RequestFilter {

  private static final String SPOKEN = "HTTP/1.";

  @Override
  protected void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    String version = request.getProtocol();
    if (version == null || !version.startsWith(SPOKEN)) {
      // Empty, and committed: nothing can be added on the way out.
      response.getOutputStream().close();
      throw new CloseNowException("the request line has no version of HTTP");
    }
    chain.doFilter(request, response);
  }
}
