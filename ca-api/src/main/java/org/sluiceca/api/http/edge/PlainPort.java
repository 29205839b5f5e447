package org.sluiceca.api.http.edge;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.http.RequestFilter;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;

/**
 * Keeps the plain HTTP port to what relying parties fetch without TLS, because checking TLS would
 * need it: CRLs, OCSP and issuer certificates (RFC 5280 8). Any other path is 404. No credential is
 * read there, on any path: it came in the clear, and an answer that depends on it would encourage
 * that.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 2)
public final class PlainPort extends RequestFilter {

  /** Exactly the paths that the OpenAPI document marks {@code plain-http}. */
  private static final Pattern PUBLIC =
      Pattern.compile(
          "/issuers/[^/;]+\\.cer|/crl/[^/;]+\\.crl|/crl/[^/;]+/[^/;]+\\.crl|/ocsp(/[^;.]*)?");

  /** OCSP answers for its methods itself. */
  private static final String OCSP = "/ocsp";

  private final Refusal refusal;

  public PlainPort(Refusal refusal) {
    this.refusal = refusal;
  }

  @Override
  protected void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (request.isSecure()) {
      chain.doFilter(request, response);
      return;
    }
    String path = request.getRequestURI();
    if (!PUBLIC.matcher(path).matches()) {
      refusal.write(request, response, HttpServletResponse.SC_NOT_FOUND);
    } else if (!path.startsWith(OCSP) && !isRead(request.getMethod())) {
      response.setHeader(HttpHeaders.ALLOW, "GET, HEAD");
      refusal.write(request, response, HttpServletResponse.SC_METHOD_NOT_ALLOWED);
    } else {
      chain.doFilter(new WithoutCredential(request), response);
    }
  }

  private static boolean isRead(String method) {
    return method.equals("GET") || method.equals("HEAD");
  }

  /** A request whose Authorization header no filter behind this one sees. */
  private static final class WithoutCredential extends HttpServletRequestWrapper {

    WithoutCredential(HttpServletRequest request) {
      super(request);
    }

    private static boolean isCredential(@Nullable String name) {
      return HttpHeaders.AUTHORIZATION.equalsIgnoreCase(name);
    }

    @Override
    public @Nullable String getHeader(String name) {
      return isCredential(name) ? null : super.getHeader(name);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
      return isCredential(name) ? Collections.emptyEnumeration() : super.getHeaders(name);
    }

    @Override
    public Enumeration<String> getHeaderNames() {
      return Collections.enumeration(
          Collections.list(super.getHeaderNames()).stream()
              .filter(name -> !isCredential(name))
              .toList());
    }
  }
}
