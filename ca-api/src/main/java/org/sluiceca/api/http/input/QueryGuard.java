package org.sluiceca.api.http.input;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Refuses a query parameter that the route does not have, or that is given twice: a wish that is
 * dropped without a word is worse than a refusal. What a route has the OpenAPI document says.
 * Thread-safe.
 */
final class QueryGuard implements HandlerInterceptor {

  /** Longer names are cut in answers: they are the client's text. */
  private static final int NAME_SHOWN = 40;

  /** One operation of the API. */
  record Route(String method, String pattern) {}

  private final Map<Route, SortedSet<String>> declared;

  /**
   * Holds to {@code declared}.
   *
   * @param declared the parameters of each route; a route that is not in it has none
   */
  QueryGuard(Map<Route, SortedSet<String>> declared) {
    this.declared = declared;
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (request.getQueryString() != null
        && request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE)
            instanceof String pattern) {
      String method = request.getMethod().equals("HEAD") ? "GET" : request.getMethod();
      check(
          request.getQueryString(),
          declared.getOrDefault(
              new Route(method.toLowerCase(Locale.ROOT), pattern), new TreeSet<>()));
    }
    return true;
  }

  /**
   * Reads the query itself: the container's parameters would also be those of a form in the body.
   */
  private static void check(String query, SortedSet<String> known) {
    Set<String> seen = new HashSet<>();
    for (String pair : query.split("&", -1)) {
      String name = decoded(pair.split("=", 2)[0]);
      if (!known.contains(name) && !pair.isEmpty()) {
        throw malformed(
            String.format(
                Locale.ROOT,
                "unknown query parameter %s; %s",
                shown(name),
                known.isEmpty()
                    ? "this route has none"
                    : "this route has: " + String.join(", ", known)));
      }
      if (!pair.isEmpty() && !seen.add(name)) {
        throw malformed("parameter " + name + " is given more than once");
      }
    }
  }

  private static String decoded(String name) {
    try {
      return URLDecoder.decode(name, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw malformed("the query has a broken percent-encoding");
    }
  }

  private static String shown(String name) {
    String printable = name.replaceAll("[^\\x21-\\x7E]", "?");
    return printable.length() <= NAME_SHOWN ? printable : printable.substring(0, NAME_SHOWN) + "…";
  }

  private static ProblemException malformed(String detail) {
    return new ProblemException(ProblemType.MALFORMED_REQUEST, detail);
  }
}
