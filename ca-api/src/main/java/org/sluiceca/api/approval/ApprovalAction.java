package org.sluiceca.api.approval;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.sluiceca.core.request.Role;

/** What can be held back until a second person agrees. The texts stand in rows for good. */
public enum ApprovalAction {
  /** A version of a profile is to issue, or each node's file again. */
  PROFILE_ACTIVATION(Role.ADMIN),
  /** A version of an endpoint is to be served, or each node's file again. */
  ENDPOINT_ACTIVATION(Role.ADMIN),
  /** A bulk revocation is to start. */
  BULK_REVOCATION(Role.OFFICER),
  /** A credential is to be registered that one administrator may not ({@code CredentialRule}). */
  CREDENTIAL_ADMIN(Role.ADMIN),
  /** Another issuer is to be there, or another certificate of one is to count. */
  ISSUER_INSTALL(Role.ADMIN),
  /** An issuer is to issue no more, for good. */
  ISSUER_RETIREMENT(Role.ADMIN);

  private final Role role;

  ApprovalAction(Role role) {
    this.role = role;
  }

  /** Returns the role that asking for it, and deciding about it, needs. */
  public Role role() {
    return role;
  }

  /** Returns how settings, rows and answers name it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Optional<ApprovalAction> of(String text) {
    return Arrays.stream(values()).filter(a -> a.text().equals(text)).findFirst();
  }
}
