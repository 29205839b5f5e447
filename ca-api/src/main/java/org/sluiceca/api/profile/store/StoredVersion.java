package org.sluiceca.api.profile.store;

import java.time.Instant;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.OctetString;

/**
 * A profile file that an administrator stored.
 *
 * @param content the file as it was sent
 */
public record StoredVersion(
    ProfileName name, int version, OctetString content, RequesterId addedBy, Instant addedAt) {

  /**
   * Which version, and what is in it.
   *
   * @param sha256 over the content's octets
   */
  public record Key(ProfileName name, int version, OctetString sha256) {}
}
