package org.sluiceca.api.hsm.lease;

import java.util.Optional;
import org.sluiceca.hsm.limit.lease.LeaderView;

/**
 * How a node shares a token at a moment.
 *
 * @param isLeased whether its window is leased; else it finds one by itself
 * @param leaseAgeSeconds since it last heard of a lease that lives, or since its start
 * @param leads whether it divides the token's window
 * @param delaySeconds mean delay of its own jobs inside the token in the last second, over the
 *     calibrated base delay; NaN if it had none
 * @param view what it sees as the leader; empty for all others
 */
public record LeaseStatus(
    boolean isLeased,
    double leaseAgeSeconds,
    boolean leads,
    double delaySeconds,
    Optional<LeaderView> view) {}
