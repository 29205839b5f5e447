package org.sluiceca.api.auth;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.core.audit.AuditEvent;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

/** Tells the audit trail who was not let in. Never waits; a flood is counted. Thread-safe. */
final class AccessRecord {

  /**
   * What of a path is recorded: what was wanted, as in {@code /v1/credentials}. Whoever is denied
   * may have many paths, and equal facts are one row.
   */
  private static final Pattern PLACE = Pattern.compile("(?:/[a-zA-Z0-9.:-]{1,40}){0,2}");

  private final AuditTrail trail;

  AccessRecord(AuditTrail trail) {
    this.trail = trail;
  }

  /** The address is all that is known of who it was. */
  void loginFailed(HttpServletRequest request, String reason) {
    trail.record(
        new Fact(
            AuditKind.LOGIN_FAILED,
            AuditEvent.NOBODY,
            Map.of("reason", reason, "address", request.getRemoteAddr())));
  }

  void accessDenied(HttpServletRequest request) {
    Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
    String actor =
        authentication instanceof RequesterAuthentication known
            ? known.getPrincipal().id().value()
            : AuditEvent.NOBODY;
    Matcher place = PLACE.matcher(request.getRequestURI());
    trail.record(
        new Fact(
            AuditKind.ACCESS_DENIED,
            actor,
            Map.of("method", request.getMethod(), "path", place.lookingAt() ? place.group() : "")));
  }
}
