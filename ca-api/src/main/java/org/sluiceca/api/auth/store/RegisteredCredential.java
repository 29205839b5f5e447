package org.sluiceca.api.auth.store;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.x509.OctetString;

/**
 * Something by which a requester proves its identity, and what it may then do.
 *
 * @param sha256 of the token's characters, or of the certificate's subjectPublicKeyInfo; 32 octets.
 *     The token itself is kept nowhere
 * @param createdAt the database's time, as are the others
 * @param rotatedFrom the token in whose place its holder got this one
 * @param replaces the same while it counts: it ends when this one is first used
 */
public record RegisteredCredential(
    UUID id,
    RequesterId requester,
    Kind kind,
    OctetString sha256,
    Grant grant,
    Instant createdAt,
    Optional<Instant> revokedAt,
    Optional<UUID> rotatedFrom,
    Optional<UUID> replaces) {

  /** One that was registered, not made by a rotation. */
  public RegisteredCredential(
      UUID id,
      RequesterId requester,
      Kind kind,
      OctetString sha256,
      Grant grant,
      Instant createdAt,
      Optional<Instant> revokedAt) {
    this(
        id,
        requester,
        kind,
        sha256,
        grant,
        createdAt,
        revokedAt,
        Optional.empty(),
        Optional.empty());
  }

  /** As many profiles as one credential may name: its table refuses more. */
  public static final int PROFILES_MAX = 256;

  /** The kind of credential that the hash is of. */
  public enum Kind {
    TOKEN,
    CERTIFICATE
  }

  /** The roles and profiles that the credential allows, and until when. */
  public record Grant(Set<Role> roles, Set<ProfileName> profiles, Instant expiresAt) {

    public Grant {
      roles = Set.copyOf(roles);
      profiles = Set.copyOf(profiles);
    }
  }

  /** Returns whether it proves anything at {@code instant}. */
  public boolean isValidAt(Instant instant) {
    return revokedAt.isEmpty() && instant.isBefore(grant.expiresAt());
  }
}
