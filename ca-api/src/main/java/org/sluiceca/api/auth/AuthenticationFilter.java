package org.sluiceca.api.auth;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.Enumeration;
import java.util.Optional;
import org.sluiceca.api.auth.oidc.OidcTokens;
import org.sluiceca.api.http.access.AccessFilter;
import org.sluiceca.api.http.edge.BodyLimit;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemMapper;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.api.http.problem.ProblemWriter;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.request.Requester;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Authenticates by the Authorization header, else by the client certificate. A credential that is
 * presented and not valid ends the request: it never falls back to another or to none.
 */
final class AuthenticationFilter extends OncePerRequestFilter {

  private static final String REFUSAL = AuthenticationFilter.class.getName() + ".REFUSAL";

  private final Authenticator authenticator;
  private final ProblemWriter problems;
  private final AccessRecord record;
  private final CertificateAuthenticator certificates;
  private final OidcTokens oidc;

  public AuthenticationFilter(
      Authenticator authenticator,
      CertificateAuthenticator certificates,
      OidcTokens oidc,
      ProblemWriter problems,
      AccessRecord record) {
    this.authenticator = authenticator;
    this.certificates = certificates;
    this.oidc = oidc;
    this.problems = problems;
    this.record = record;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    try {
      Optional<Requester> requester = authenticate(request);
      if (requester.isPresent()) {
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        context.setAuthentication(new RequesterAuthentication(requester.get()));
        SecurityContextHolder.setContext(context);
        String id = requester.get().id().value();
        BodyLimit.authenticated(request, requester.get().account().value());
        AccessFilter.authenticated(request, id);
      }
    } catch (ProblemException e) {
      if (e.type() == ProblemType.UNAUTHENTICATED) {
        record.loginFailed(request, String.valueOf(e.getMessage()));
      }
      problems.write(request, response, e);
      return;
    } catch (CredentialCache.TooMany e) {
      record.loginFailed(request, "too many unknown credentials at once");
      problems.write(request, response, tooMany());
      return;
    } catch (LedgerUnavailable e) {
      problems.write(request, response, ProblemMapper.unavailable(e));
      return;
    }
    chain.doFilter(request, response);
  }

  private Optional<Requester> authenticate(HttpServletRequest request) {
    Enumeration<String> headers = request.getHeaders(HttpHeaders.AUTHORIZATION);
    if (RenewalRequest.isProven(request)) {
      // It needs the body: the controller verifies it. A client certificate counts for nothing
      // here.
      return Optional.empty();
    }
    if (headers.hasMoreElements()) {
      String header = headers.nextElement();
      Optional<String> bearer = Tokens.bearer(header);
      if (headers.hasMoreElements()) {
        throw refused("there is more than one Authorization header");
      }
      Optional<String> jwt = oidc.isOn() ? Tokens.jwt(header) : Optional.empty();
      if (jwt.isPresent()) {
        return Optional.of(oidc.authenticate(jwt.get(), ClientCertificate.of(request)));
      }
      if (bearer.isEmpty()) {
        throw refused("the Authorization header is not 'Bearer' followed by one space and a token");
      }
      return Optional.of(
          authenticator
              .byToken(bearer.get())
              .orElseThrow(() -> refused("the bearer token is unknown, expired or revoked")));
    }
    // A certificate that is not registered is no credential but for its own renewal; public routes
    // stay open to it.
    return ClientCertificate.of(request)
        .flatMap(
            presented ->
                certificates.find(request, presented).or(() -> byCertificate(request, presented)));
  }

  /** One that is refused leaves what is public open; the reason goes with the 401 of the rest. */
  private Optional<Requester> byCertificate(
      HttpServletRequest request, X509Certificate certificate) {
    return switch (authenticator.byCertificate(certificate)) {
      case Authenticator.Answer.Known known -> Optional.of(known.requester());
      case Authenticator.Answer.Unknown unknown -> Optional.empty();
      case Authenticator.Answer.Refused(String detail) -> {
        request.setAttribute(REFUSAL, detail);
        yield Optional.empty();
      }
    };
  }

  /** Returns why this request's credential was refused, or else what it needs. */
  public static String refusal(HttpServletRequest request) {
    return request.getAttribute(REFUSAL) instanceof String detail
        ? detail
        : "a bearer token or a registered client certificate is needed";
  }

  /** Returns the answer to one of too many unknown credentials. */
  static ProblemException tooMany() {
    return new ProblemException(
        ProblemType.SATURATED, "too many unknown credentials at once", CredentialCache.RETRY, null);
  }

  private static ProblemException refused(String detail) {
    return new ProblemException(ProblemType.UNAUTHENTICATED, detail);
  }
}
