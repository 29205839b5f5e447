/**
 * The backlog's rows: {@link org.sluiceca.api.issuance.backlog.store.BacklogInsert} puts orders in,
 * in the transaction that records them, and {@link
 * org.sluiceca.api.issuance.backlog.store.BacklogTake} takes them out.
 */
@NullMarked
package org.sluiceca.api.issuance.backlog.store;

import org.jspecify.annotations.NullMarked;
