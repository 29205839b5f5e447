/** The ledger in PostgreSQL. Entry: {@link org.sluiceca.api.issuance.store.PostgresLedgerStore}. */
@NullMarked
package org.sluiceca.api.issuance.store;

import org.jspecify.annotations.NullMarked;
