package org.sluiceca.api.acme.binding;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.registration.name.NameSpace;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;

/**
 * An external account binding: what an account that is made by it may have certified without a
 * challenge, and whose share it uses.
 *
 * @param kid its name, which is no secret
 * @param requester whose share, quota and profiles its accounts use
 * @param profiles empty for all of the endpoint
 * @param isSingle whether it makes one account alone
 * @param expiresAt after which it makes no account; those that it made go on
 */
public record Binding(
    String kid,
    EndpointName endpoint,
    RequesterId requester,
    NameSpace names,
    Set<ProfileName> profiles,
    boolean isSingle,
    String createdBy,
    Instant createdAt,
    Instant expiresAt,
    Optional<Instant> revokedAt) {

  /** Copies the profiles. */
  public Binding {
    profiles = Set.copyOf(profiles);
  }

  /** Returns whether it makes accounts at {@code now}. */
  public boolean isValidAt(Instant now) {
    return revokedAt.isEmpty() && now.isBefore(expiresAt);
  }
}
