/**
 * Revocation of many certificates at once (docs/adr/0030-bulk-revocation.md): what is selected,
 * what a dry run shows, what a batch of it comes to. Pure; {@link
 * org.sluiceca.core.revoke.bulk.BulkPage} is where certificates are judged. Knows nothing of nodes,
 * tables and clients.
 */
@NullMarked
package org.sluiceca.core.revoke.bulk;

import org.jspecify.annotations.NullMarked;
