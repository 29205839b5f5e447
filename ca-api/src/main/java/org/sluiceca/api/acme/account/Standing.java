package org.sluiceca.api.acme.account;

import java.time.Instant;
import java.util.Optional;

/**
 * What the limits of an account depend on.
 *
 * @param network from which it was registered without a binding, such as {@code 192.0.2.0/24};
 *     empty with a binding and for a configured proxy
 * @param isUsed whether it has ever made an order; an account without a binding that has not is
 *     removed some day
 * @param keyChangedAt when it got another key; empty if it has its first
 * @param endedAt when its owner deactivated it
 */
public record Standing(
    Optional<String> network,
    boolean isUsed,
    Optional<Instant> keyChangedAt,
    Optional<Instant> endedAt) {}
