package org.sluiceca.core.intent;

import org.sluiceca.core.time.Deadline;

/**
 * The right of one node to finish one intent.
 *
 * @param epoch 0 for the node that recorded the intent, one more for each take-over
 * @param until when this node must consider the claim lost: counted on its own clock from before
 *     the database granted it, so it ends no later than the database thinks
 */
public record Claim(NodeId owner, int epoch, Deadline until) {}
