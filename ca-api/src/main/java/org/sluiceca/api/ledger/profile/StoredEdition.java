package org.sluiceca.api.ledger.profile;

import java.time.Instant;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.OctetString;

/**
 * A profile file that an administrator stored.
 *
 * @param content the file as it was sent
 */
public record StoredEdition(
    ProfileName name, int version, OctetString content, RequesterId addedBy, Instant addedAt) {}
