/**
 * A node's part of the audit trail: {@link org.sluiceca.api.audit.AuditTrail} writes its chain,
 * {@link org.sluiceca.api.audit.AuditSink} and others tell it what happened, {@link
 * org.sluiceca.api.audit.CheckpointLoop} has the heads of all chains signed and exported. Knows
 * neither HTTP nor the HSM.
 */
@NullMarked
package org.sluiceca.api.audit;

import org.jspecify.annotations.NullMarked;
