/**
 * The audit trail for those who have no database: {@code sluice audit export} fetches it, {@code
 * sluice audit verify} judges what was fetched. The judging is the core's ({@link
 * org.sluiceca.core.audit.verify}), the same as on the database; no other package of the client
 * knows the core.
 */
@NullMarked
package org.sluiceca.client.audit;

import org.jspecify.annotations.NullMarked;
