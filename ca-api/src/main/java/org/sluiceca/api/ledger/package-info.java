/**
 * The ledger on PostgreSQL, and the issuers and credentials kept next to it: the only package that
 * speaks SQL. {@link org.sluiceca.api.ledger.LedgerDatabase} holds the connections, {@link
 * org.sluiceca.api.ledger.PostgresLedgerStore} is the ledger; a recording goes through {@link
 * org.sluiceca.api.ledger.GroupCommit}. Knows neither HTTP nor metrics.
 */
@NullMarked
package org.sluiceca.api.ledger;

import org.jspecify.annotations.NullMarked;
