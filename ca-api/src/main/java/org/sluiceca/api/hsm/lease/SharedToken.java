package org.sluiceca.api.hsm.lease;

import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import org.sluiceca.hsm.limit.Grant;
import org.sluiceca.hsm.limit.Limits;
import org.sluiceca.hsm.limit.NodeReport;

/**
 * A token whose window is divided among nodes.
 *
 * @param hsm its label
 * @param limits the same on all nodes
 * @param reporter what this node saw, asked once a second with the node's name; does not block
 * @param lessee uses a grant until a time on {@link System#nanoTime}'s scale; does not block
 */
public record SharedToken(
    String hsm,
    Limits limits,
    Function<String, NodeReport> reporter,
    ObjLongConsumer<Grant> lessee) {}
