/**
 * Revocations and CRLs on PostgreSQL: the stores of {@link org.sluiceca.core.revoke.Revoker} and
 * {@link org.sluiceca.core.crl.CrlIssuance}, and bulk revocations, whose jobs {@link
 * org.sluiceca.api.revocation.bulk.store.BulkJobStore} keeps and {@link
 * org.sluiceca.api.revocation.bulk.store.BulkBatches} takes further.
 */
@NullMarked
package org.sluiceca.api.revocation.store;

import org.jspecify.annotations.NullMarked;
