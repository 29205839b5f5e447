/**
 * Bulk revocation on a node: {@link org.sluiceca.api.revoke.BulkRevocations} shows and starts,
 * {@link org.sluiceca.api.revoke.BulkRevocationLoop} carries out. Knows nothing of HTTP.
 */
@NullMarked
package org.sluiceca.api.revoke;

import org.jspecify.annotations.NullMarked;
