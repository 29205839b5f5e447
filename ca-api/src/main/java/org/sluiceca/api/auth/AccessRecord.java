package org.sluiceca.api.auth;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.api.http.access.HttpMethods;
import org.sluiceca.api.http.access.RouteNames;
import org.sluiceca.core.audit.AuditEvent;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * Records denied requests in the audit trail. Of what the client sent it records nothing but names
 * from closed sets: the method and the route. Never waits; a flood is counted. Thread-safe.
 */
public final class AccessRecord {

  private final AuditTrail trail;
  private final RouteNames routes;

  public AccessRecord(AuditTrail trail, RouteNames routes) {
    this.trail = trail;
    this.routes = routes;
  }

  /**
   * Records a request without a valid credential, by its client's address: nothing else is known.
   *
   * @param reason a text of this program, never of the client
   */
  public void loginFailed(HttpServletRequest request, String reason) {
    trail.record(
        new Fact(
            AuditKind.LOGIN_FAILED,
            AuditEvent.UNKNOWN_ACTOR,
            Map.of("reason", reason, "address", request.getRemoteAddr())));
  }

  /** Records a request of a requester that lacks the role. */
  public void accessDenied(HttpServletRequest request) {
    Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
    String actor =
        authentication instanceof RequesterAuthentication known
            ? known.getPrincipal().id().value()
            : AuditEvent.UNKNOWN_ACTOR;
    accessDenied(request, actor);
  }

  /** Records the same of a requester that a session of the console names. */
  public void accessDenied(HttpServletRequest request, String actor) {
    trail.record(
        new Fact(
            AuditKind.ACCESS_DENIED,
            actor,
            Map.of("method", HttpMethods.nameOf(request.getMethod()), "path", routes.of(request))));
  }
}
