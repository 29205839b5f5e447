/**
 * Bulk revocation on a node: {@link org.sluiceca.api.revocation.bulk.BulkRevocations} shows and
 * starts, {@link org.sluiceca.api.revocation.bulk.BulkRevocationLoop} carries out. Knows nothing of
 * HTTP.
 */
@NullMarked
package org.sluiceca.api.revocation.bulk;

import org.jspecify.annotations.NullMarked;
