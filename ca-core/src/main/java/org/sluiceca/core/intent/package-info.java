/**
 * Steps 5 and 8: the durable record of what will be signed and of what came of it. {@link
 * org.sluiceca.core.intent.Ledger} mints the tokens; {@link org.sluiceca.core.intent.LedgerStore}
 * is the port to the database. Knows no SQL.
 */
@NullMarked
package org.sluiceca.core.intent;

import org.jspecify.annotations.NullMarked;
