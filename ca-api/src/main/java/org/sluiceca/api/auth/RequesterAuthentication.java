package org.sluiceca.api.auth;

import org.sluiceca.core.request.Requester;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

/** Spring Security's view of an authenticated {@link Requester}. Holds no credential. */
final class RequesterAuthentication extends AbstractAuthenticationToken {

  private static final long serialVersionUID = 1L;

  private final transient Requester requester;

  RequesterAuthentication(Requester requester) {
    super(requester.roles().stream().map(r -> new SimpleGrantedAuthority("ROLE_" + r)).toList());
    this.requester = requester;
    setAuthenticated(true);
  }

  @Override
  public Object getCredentials() {
    return "";
  }

  @Override
  public Requester getPrincipal() {
    return requester;
  }
}
