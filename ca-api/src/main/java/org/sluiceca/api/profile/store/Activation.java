package org.sluiceca.api.profile.store;

import java.time.Instant;
import java.util.OptionalInt;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;

/**
 * A decision about what issues under a name.
 *
 * @param number grows with every activation of any profile
 * @param version empty for each node's own file
 */
public record Activation(
    long number,
    ProfileName name,
    OptionalInt version,
    RequesterId activatedBy,
    Instant activatedAt) {

  /** The number that the first activation of a name replaces. */
  public static final long NONE = 0;
}
