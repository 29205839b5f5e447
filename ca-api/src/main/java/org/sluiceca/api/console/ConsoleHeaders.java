package org.sluiceca.api.console;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.sluiceca.api.http.RequestFilter;
import org.sluiceca.api.http.edge.Refusal;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;

/**
 * Gives every answer below {@code /console} its headers before anything else looks at the request,
 * so that refusals and errors have them as well; or answers 404 where the console is off. Behind
 * the filter of the plain port, which serves no console.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 3)
public final class ConsoleHeaders extends RequestFilter {

  /** Scripts, styles and connections of this origin alone; nothing inline. */
  static final String CONTENT_SECURITY_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

  private final boolean isOn;
  private final Refusal refusal;

  /** Serves the console if {@code isOn}. */
  public ConsoleHeaders(boolean isOn, Refusal refusal) {
    this.isOn = isOn;
    this.refusal = refusal;
  }

  @Override
  protected void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (!ConsolePaths.isOfConsole(request)) {
      chain.doFilter(request, response);
      return;
    }
    write(response);
    if (isOn) {
      chain.doFilter(request, response);
    } else {
      refusal.write(request, response, HttpServletResponse.SC_NOT_FOUND);
    }
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
