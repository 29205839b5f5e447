/**
 * Revocations and CRLs on PostgreSQL: the stores of {@link org.sluiceca.core.revoke.Revoker} and
 * {@link org.sluiceca.core.crl.CrlIssuance}, and bulk revocations, whose jobs {@link
 * org.sluiceca.api.ledger.revocation.BulkJobStore} keeps and {@link
 * org.sluiceca.api.ledger.revocation.BulkBatches} takes further.
 */
@NullMarked
package org.sluiceca.api.ledger.revocation;

import org.jspecify.annotations.NullMarked;
