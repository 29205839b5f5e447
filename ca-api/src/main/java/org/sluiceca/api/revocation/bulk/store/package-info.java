/**
 * Bulk revocations and their batches in the database. Entry: {@link
 * org.sluiceca.api.revocation.bulk.store.BulkJobStore}.
 */
@NullMarked
package org.sluiceca.api.revocation.bulk.store;

import org.jspecify.annotations.NullMarked;
