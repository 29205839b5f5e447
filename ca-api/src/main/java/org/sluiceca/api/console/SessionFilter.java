package org.sluiceca.api.console;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.auth.AccessRecord;
import org.sluiceca.api.auth.ClientCertificate;
import org.sluiceca.api.console.form.ConsoleCookies;
import org.sluiceca.api.console.form.ConsoleForm;
import org.sluiceca.api.console.form.FormToken;
import org.sluiceca.api.console.session.Session;
import org.sluiceca.api.console.session.Sessions;
import org.sluiceca.api.http.RequestFilter;
import org.sluiceca.api.http.access.AccessFilter;
import org.sluiceca.api.http.edge.BodyBrokenException;
import org.sluiceca.api.http.edge.BodyLimit;
import org.sluiceca.api.http.edge.BodyTooLargeException;
import org.sluiceca.api.http.edge.BodyTooSlowException;
import org.sluiceca.api.http.edge.Refusal;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemMapper;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.springframework.http.HttpHeaders;

/**
 * Decides on every request of the console: only the sign-in page and the files of pages are for
 * everyone, everything else needs a session, a page also one of its roles, and whatever changes
 * something the token of its form. No other credential counts here.
 */
public final class SessionFilter extends RequestFilter {

  private static final Logger LOG = LoggerFactory.getLogger(SessionFilter.class);

  private static final String ATTRIBUTE = SessionFilter.class.getName();

  private static final Set<String> READING = Set.of("GET", "HEAD");
  private static final String POST = "POST";

  /** What browsers say of a request that a page of the same origin makes. */
  private static final String SAME_ORIGIN = "same-origin";

  private final Sessions sessions;
  private final AccessRecord record;
  private final Pages pages;

  /** Finds sessions in {@code sessions}; {@code record} has what is withheld from them. */
  public SessionFilter(Sessions sessions, AccessRecord record, Pages pages) {
    this.sessions = sessions;
    this.record = record;
    this.pages = pages;
  }

  /** Returns what stands in the place of this filter where the console is off: 404 for all. */
  public static Filter off(Refusal refusal) {
    return (request, response, chain) ->
        refusal.write(
            (HttpServletRequest) request,
            (HttpServletResponse) response,
            HttpServletResponse.SC_NOT_FOUND);
  }

  /** Returns the session of a request that has passed here; empty without one. */
  static Optional<Session> session(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof Session session
        ? Optional.of(session)
        : Optional.empty();
  }

  /** Returns the session of a request that this filter lets pass only with one. */
  public static Session required(HttpServletRequest request) {
    return session(request).orElseThrow();
  }

  @Override
  protected void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    boolean isPassed;
    try {
      isPassed = passes(request, response);
    } catch (ProblemException e) {
      pages.refuse(request, response, e);
      return;
    } catch (LedgerUnavailable e) {
      LOG.warn("unavailable: {}", e.getMessage());
      pages.refuse(request, response, ProblemMapper.unavailable(e));
      return;
    } catch (BodyTooLargeException e) {
      pages.refuse(request, response, problem(ProblemType.BODY_TOO_LARGE));
      return;
    } catch (BodyTooSlowException e) {
      pages.refuse(request, response, problem(ProblemType.REQUEST_TIMEOUT));
      return;
    } catch (BodyBrokenException e) {
      pages.refuse(request, response, problem(ProblemType.MALFORMED_REQUEST));
      return;
    }
    if (isPassed) {
      chain.doFilter(request, response);
    }
  }

  private static ProblemException problem(ProblemType type) {
    return new ProblemException(type, type.title());
  }

  /** Returns whether the request goes on; if not, it is answered. */
  private boolean passes(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String path = request.getRequestURI();
    boolean isReading = READING.contains(request.getMethod());
    if (!isReading && !request.getMethod().equals(POST)) {
      response.setHeader(HttpHeaders.ALLOW, "GET, HEAD, POST");
      throw problem(ProblemType.METHOD_NOT_ALLOWED);
    }
    if (!ConsolePaths.isPlain(request)) {
      throw problem(ProblemType.NOT_FOUND);
    }
    if (isReading && path.startsWith(ConsolePaths.ASSETS)) {
      return true;
    }
    Optional<Session> found =
        ConsoleCookies.read(request, ConsoleCookies.SESSION)
            .flatMap(cookie -> find(request, cookie));
    found.ifPresent(session -> known(request, session));
    boolean isSignIn = path.equals(ConsolePaths.SIGN_IN);
    if (found.isEmpty() && !isSignIn && hasCookie(request)) {
      // Its session has ended: nothing of the form is read or done.
      leadToSignIn(request, response);
      return false;
    }
    if (!isReading) {
      requireOwnForm(
          request,
          isSignIn ? ConsoleCookies.SIGN_IN : ConsoleCookies.SESSION,
          found.isPresent() && path.equals(ConsolePaths.ENROLL)
              ? ConsoleForm.REQUEST_OCTETS_MAX
              : ConsoleForm.OCTETS_MAX);
    }
    if (found.isEmpty() && !isSignIn) {
      leadToSignIn(request, response);
      return false;
    }
    found.ifPresent(session -> requireRole(request, session, path));
    return true;
  }

  private Optional<Session> find(HttpServletRequest request, String cookie) {
    Optional<X509Certificate> presented = ClientCertificate.of(request);
    return ConsolePaths.isOfScript(request)
        ? sessions.peek(cookie, presented)
        : sessions.find(cookie, presented);
  }

  private static boolean hasCookie(HttpServletRequest request) {
    return ConsoleCookies.read(request, ConsoleCookies.SESSION).isPresent();
  }

  private static void known(HttpServletRequest request, Session session) {
    String id = session.requester().id().value();
    request.setAttribute(ATTRIBUTE, session);
    BodyLimit.authenticated(request, id);
    AccessFilter.authenticated(request, id);
  }

  /** Another site can send a form, too, with the session's cookie or without. */
  private static void requireOwnForm(HttpServletRequest request, String cookie, int octetsMax)
      throws IOException {
    String site = request.getHeader("Sec-Fetch-Site");
    boolean isForeign = site != null && !site.equals(SAME_ORIGIN);
    Optional<String> secret = ConsoleCookies.read(request, cookie);
    if (isForeign
        || secret.isEmpty()
        || !FormToken.isOf(
            secret.get(), ConsoleForm.read(request, octetsMax).field(FormToken.FIELD))) {
      throw new ProblemException(
          ProblemType.FORBIDDEN,
          "The form does not belong to a page of this browser, or that page is too old. Open the"
              + " page again, and send the form from there.");
    }
  }

  private void requireRole(HttpServletRequest request, Session session, String path) {
    boolean isWithheld =
        Menu.PAGES.stream().anyMatch(page -> page.holds(path))
            && Menu.of(session.requester().roles()).stream().noneMatch(page -> page.holds(path));
    if (isWithheld) {
      record.accessDenied(request, session.requester().id().value());
      throw new ProblemException(ProblemType.FORBIDDEN, "The page is for other roles.");
    }
  }

  private static void leadToSignIn(HttpServletRequest request, HttpServletResponse response) {
    if (ConsolePaths.isOfScript(request)) {
      // It has no use for a page.
      response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
      return;
    }
    String target = Menu.target(request.getRequestURI());
    response.setStatus(HttpServletResponse.SC_SEE_OTHER);
    response.setHeader(
        HttpHeaders.LOCATION,
        ConsolePaths.SIGN_IN + "?to=" + URLEncoder.encode(target, StandardCharsets.UTF_8));
  }
}
