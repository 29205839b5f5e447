package org.sluiceca.api.http.access;

import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.server.PathContainer;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Names a request by its route, as in {@code /v1/certificates/{serial}}: the routes are a closed
 * set, while a path holds whatever a client likes. Thread-safe.
 */
@Component
public final class RouteNames {

  /** What a path without a route is called. */
  static final String OTHER = "other";

  /** Longer paths have no route: the longest ones are certificates by name of 64 characters. */
  private static final int PATH_MAX = 1_024;

  /** RouteNames of filters, which the table of controllers does not have. */
  private static final List<String> OF_FILTERS = List.of("/ocsp", "/ocsp/**");

  private record Route(PathPattern pattern, Set<String> methods) {}

  private final ObjectProvider<RequestMappingHandlerMapping> mapping;
  private final ReentrantLock lock = new ReentrantLock();

  /** Read when first asked for: filters are made before controllers. */
  private volatile @Nullable List<Route> table;

  RouteNames(
      @Qualifier("requestMappingHandlerMapping")
          ObjectProvider<RequestMappingHandlerMapping> mapping) {
    this.mapping = mapping;
  }

  /** Returns the route that a request took, or would have taken, or {@code other}. */
  public String of(HttpServletRequest request) {
    Object taken = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
    if (taken != null) {
      return taken.toString();
    }
    return matching(request).stream()
        .findFirst()
        .map(route -> route.pattern().getPatternString())
        .orElse(OTHER);
  }

  /** Returns the methods of the request's path, sorted, as the header Allow lists them. */
  public String allowed(HttpServletRequest request) {
    Set<String> allowed = new TreeSet<>(Set.of("OPTIONS"));
    for (Route route : matching(request)) {
      allowed.addAll(route.methods());
      if (route.methods().contains("GET")) {
        allowed.add("HEAD");
      }
    }
    return String.join(", ", allowed);
  }

  private List<Route> matching(HttpServletRequest request) {
    String path = request.getRequestURI();
    if (path == null || path.length() > PATH_MAX) {
      return List.of();
    }
    try {
      PathContainer parsed = PathContainer.parsePath(path);
      return table().stream().filter(route -> route.pattern().matches(parsed)).toList();
    } catch (IllegalArgumentException e) {
      // A percent sign without two digits behind it.
      return List.of();
    }
  }

  private List<Route> table() {
    List<Route> known = table;
    if (known != null) {
      return known;
    }
    lock.lock();
    try {
      List<Route> read = read();
      table = read;
      return read;
    } finally {
      lock.unlock();
    }
  }

  private List<Route> read() {
    List<Route> routes = new ArrayList<>();
    PathPatternParser parser = PathPatternParser.defaultInstance;
    mapping
        .getObject()
        .getHandlerMethods()
        .keySet()
        .forEach(
            info -> {
              Set<String> methods = new TreeSet<>();
              for (RequestMethod method : info.getMethodsCondition().getMethods()) {
                methods.add(method.name());
              }
              info.getPatternValues()
                  .forEach(pattern -> routes.add(new Route(parser.parse(pattern), methods)));
            });
    OF_FILTERS.forEach(
        pattern -> routes.add(new Route(parser.parse(pattern), Set.of("GET", "POST"))));
    routes.sort((a, b) -> a.pattern().compareTo(b.pattern()));
    return List.copyOf(routes);
  }
}
