package org.sluiceca.api.acme.endpoint.store;

import java.time.Instant;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.OctetString;

/**
 * An endpoint's file that an administrator stored.
 *
 * @param content the file as it was sent
 */
public record StoredEndpoint(
    EndpointName name, int version, OctetString content, RequesterId addedBy, Instant addedAt) {}
