package org.sluiceca.api.edge;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Keeps the plain HTTP port to what relying parties fetch without TLS, because checking TLS would
 * need it: CRLs, OCSP and issuer certificates (RFC 5280 8).
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 2)
public final class PlainPort extends OncePerRequestFilter {

  private static final List<String> PREFIXES = List.of("/crl/", "/issuers/", "/ocsp");

  private final Refusal refusal;

  public PlainPort(Refusal refusal) {
    this.refusal = refusal;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    String path = request.getRequestURI();
    if (!request.isSecure() && PREFIXES.stream().noneMatch(path::startsWith)) {
      refusal.write(request, response, HttpServletResponse.SC_NOT_FOUND);
      return;
    }
    chain.doFilter(request, response);
  }
}
