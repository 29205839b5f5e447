/**
 * Group commit: rows of many callers share a transaction. Entry: {@link
 * org.sluiceca.api.issuance.store.commit.GroupCommit}.
 */
@NullMarked
package org.sluiceca.api.issuance.store.commit;

import org.jspecify.annotations.NullMarked;
