/**
 * Checkpoints of the audit trail: the heads of all chains, signed by the node's audit key and
 * exported. Does not know the HSM.
 */
@NullMarked
package org.sluiceca.api.audit.checkpoint;

import org.jspecify.annotations.NullMarked;
