/**
 * A node's part of the audit trail: {@link org.sluiceca.api.audit.AuditTrail} writes its chain,
 * {@link org.sluiceca.api.audit.AuditSink} and others report what happened. Knows neither HTTP nor
 * the HSM.
 */
@NullMarked
package org.sluiceca.api.audit;

import org.jspecify.annotations.NullMarked;
