/**
 * The audit trail's tables: {@link org.sluiceca.api.audit.store.AuditStore} adds rows, {@link
 * org.sluiceca.api.audit.store.AuditReading} reads them all as of one moment. Knows nothing of what
 * the rows mean.
 */
@NullMarked
package org.sluiceca.api.audit.store;

import org.jspecify.annotations.NullMarked;
