/**
 * The audit trail's tables: {@link org.sluiceca.api.ledger.audit.AuditStore} adds rows, {@link
 * org.sluiceca.api.ledger.audit.AuditReading} reads them all as of one moment. Knows nothing of
 * what the rows mean.
 */
@NullMarked
package org.sluiceca.api.ledger.audit;

import org.jspecify.annotations.NullMarked;
