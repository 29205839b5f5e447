package org.sluiceca.api.auth.oidc;

import java.util.List;
import java.util.function.BiPredicate;
import org.sluiceca.api.auth.store.CredentialStore;
import org.sluiceca.api.auth.store.RegisteredCredential;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;

/**
 * Whether what administrators granted covers a requester of an accepted request still: its own
 * registration, or what the users of its provider share. Thread-safe; blocks for three queries at
 * most.
 */
public final class StandingGrants implements BiPredicate<RequesterId, ProfileName> {

  private final OidcSettings settings;
  private final CredentialStore credentials;

  /** Reads from {@code credentials}. */
  public StandingGrants(OidcSettings settings, CredentialStore credentials) {
    this.settings = settings;
    this.credentials = credentials;
  }

  /**
   * Returns whether {@code requester} may have certificates under {@code profile}.
   *
   * @throws org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable if the database does not
   *     answer
   */
  @Override
  public boolean test(RequesterId requester, ProfileName profile) {
    return credentials.grants(requester, profile)
        || settings.providers().stream()
            .filter(provider -> requester.value().startsWith(provider.requesterPrefix()))
            .anyMatch(
                provider ->
                    isUser(provider, requester)
                        && credentials.grants(new RequesterId(provider.grantsOf()), profile));
  }

  /**
   * As for a token: a registered id is a user's only where the two are one, and while it stands.
   */
  private boolean isUser(OidcProvider provider, RequesterId requester) {
    List<RegisteredCredential> own = credentials.list(requester);
    return !requester.value().equals(provider.grantsOf())
        && (own.isEmpty()
            || (provider.joinsRegistered()
                && own.stream().anyMatch(credential -> credential.revokedAt().isEmpty())));
  }
}
