/**
 * The acts that wait for a second person, on PostgreSQL. Entry: {@link
 * org.sluiceca.api.approval.store.ApprovalStore}.
 */
@NullMarked
package org.sluiceca.api.approval.store;

import org.jspecify.annotations.NullMarked;
