/**
 * The repair of a ledger that is older than what was issued: takes in what is known from outside,
 * and ensures that what may have been issued is not signed again
 * (docs/adr/0044-database-drills.md). Entries: {@link
 * org.sluiceca.api.cli.ceremony.store.RestoredCertificates}, {@link
 * org.sluiceca.api.cli.ceremony.store.LostRevocations}, {@link
 * org.sluiceca.api.cli.ceremony.store.UndecidedIntents}. Knows nothing of files or keys.
 */
@NullMarked
package org.sluiceca.api.cli.ceremony.store;

import org.jspecify.annotations.NullMarked;
