package org.sluiceca.load.soak.judge;

import java.time.Instant;

/**
 * When a node was asked and had answered, by the clock of the one machine that all run on.
 *
 * @param sent before the request left: what the answer says is of this moment or later
 */
public record Look(int node, Instant sent, Instant received) {}
