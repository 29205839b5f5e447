package org.sluiceca.api.console;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.sluiceca.api.http.RequestFilter;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;

/**
 * Gives every answer below {@code /console} its headers before anything else looks at the request,
 * so that refusals and errors have them as well. The plain port serves no console.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class ConsoleHeaders extends RequestFilter {

  /** Scripts, styles and connections of this origin alone; nothing inline. */
  static final String CONTENT_SECURITY_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

  @Override
  protected void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (request.isSecure() && ConsolePaths.isOfConsole(request)) {
      write(response);
    }
    chain.doFilter(request, response);
  }

  private static void write(HttpServletResponse response) {
    response.setHeader("Content-Security-Policy", CONTENT_SECURITY_POLICY);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("X-Frame-Options", "DENY");
    response.setHeader("Referrer-Policy", "same-origin");
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    response.setHeader("Strict-Transport-Security", "max-age=31536000 ; includeSubDomains");
    response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
  }
}
