package org.sluiceca.api.http;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * A filter of what clients send: Spring Boot registers it for the dispatch of requests alone, not
 * for that of errors or of asynchronous answers. So it need not note in each request that it was
 * there, as Spring's {@code OncePerRequestFilter} does. Thread-safe if its subclass is.
 */
public abstract class RequestFilter implements Filter {

  /**
   * Handles a request once. May block.
   *
   * @param chain the rest of the filters and the handler; not called for a request that ends here
   */
  protected abstract void filter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException;

  @Override
  public final void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    filter((HttpServletRequest) request, (HttpServletResponse) response, chain);
  }
}
