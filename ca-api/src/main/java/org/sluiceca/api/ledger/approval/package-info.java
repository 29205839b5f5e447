/**
 * The acts that wait for a second person, on PostgreSQL. Entry: {@link
 * org.sluiceca.api.ledger.approval.ApprovalStore}.
 */
@NullMarked
package org.sluiceca.api.ledger.approval;

import org.jspecify.annotations.NullMarked;
