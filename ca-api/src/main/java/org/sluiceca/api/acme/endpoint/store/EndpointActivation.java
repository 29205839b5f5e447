package org.sluiceca.api.acme.endpoint.store;

import java.time.Instant;
import java.util.OptionalInt;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.request.RequesterId;

/**
 * A decision about what is served under a name.
 *
 * @param number grows with every activation of any endpoint
 * @param version empty for each node's own file
 */
public record EndpointActivation(
    long number,
    EndpointName name,
    OptionalInt version,
    RequesterId activatedBy,
    Instant activatedAt) {

  /** The number that the first activation of a name replaces. */
  public static final long NONE = 0;
}
