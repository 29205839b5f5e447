package org.sluiceca.api.auth.credential;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.auth.store.CredentialStore.ListedCredential;
import org.sluiceca.api.auth.store.RegisteredCredential;
import org.sluiceca.core.request.ProfileName;

/**
 * A registered credential in JSON.
 *
 * @param lastUsedAt in lists: the beginning of the hour
 * @param token only in the answer that makes it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record CredentialBody(
    String id,
    String requester,
    String kind,
    List<String> roles,
    List<String> profiles,
    String expiresAt,
    @Nullable String revokedAt,
    @Nullable String lastUsedAt,
    @Nullable String rotatedFrom,
    @Nullable String token) {

  static CredentialBody listed(ListedCredential listed) {
    return of(listed.credential(), listed.lastUsedAt().map(Instant::toString).orElse(null), null);
  }

  static CredentialBody made(RegisteredCredential credential, @Nullable String token) {
    return of(credential, null, token);
  }

  private static CredentialBody of(
      RegisteredCredential credential, @Nullable String lastUsedAt, @Nullable String token) {
    return new CredentialBody(
        credential.id().toString(),
        credential.requester().value(),
        credential.kind().name(),
        credential.grant().roles().stream().map(Enum::name).sorted().toList(),
        credential.grant().profiles().stream().map(ProfileName::value).sorted().toList(),
        credential.grant().expiresAt().toString(),
        credential.revokedAt().map(Instant::toString).orElse(null),
        lastUsedAt,
        credential.rotatedFrom().map(Object::toString).orElse(null),
        token);
  }
}
