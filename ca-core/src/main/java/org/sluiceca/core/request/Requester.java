package org.sluiceca.core.request;

import java.util.Set;

/**
 * Who asks, as the authenticator found it, and what this requester may do.
 *
 * @param profiles the profiles under which it may enroll; empty for none
 * @param account whose quota and share of the line it uses: its own, or that of all whom the same
 *     identity provider names
 */
public record Requester(
    RequesterId id,
    Authentication authentication,
    Set<Role> roles,
    Set<ProfileName> profiles,
    RequesterId account) {

  public Requester {
    roles = Set.copyOf(roles);
    profiles = Set.copyOf(profiles);
  }

  /** A requester with a quota and a share of its own. */
  public Requester(
      RequesterId id, Authentication authentication, Set<Role> roles, Set<ProfileName> profiles) {
    this(id, authentication, roles, profiles, id);
  }

  /** How the requester proved its identity. */
  public enum Authentication {
    BEARER_TOKEN,
    CLIENT_CERTIFICATE,
    /** A request for a renewal, signed by the key of the certificate that is renewed. */
    RENEWAL_PROOF,
    /** An account of a protocol such as ACME, for a request that was authorized before its CSR. */
    REGISTRATION,
    /** A key ceremony or the node itself, on this machine: the only way to ceremony profiles. */
    CEREMONY,
    /** The node asks for its own TLS certificate. */
    NODE
  }

  /** Returns whether the requester has {@code role}. */
  public boolean has(Role role) {
    return roles.contains(role);
  }
}
