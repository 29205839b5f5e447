/**
 * The connections to the database, its schema and its upkeep. Entry: {@link
 * org.sluiceca.api.platform.store.LedgerDatabase}.
 */
@NullMarked
package org.sluiceca.api.platform.store;

import org.jspecify.annotations.NullMarked;
