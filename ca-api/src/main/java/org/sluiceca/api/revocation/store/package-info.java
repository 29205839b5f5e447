/**
 * Revocations, CRLs, compromised keys and reserved names on PostgreSQL: the stores of {@link
 * org.sluiceca.core.revoke.Revoker} and {@link org.sluiceca.core.crl.CrlIssuance}.
 */
@NullMarked
package org.sluiceca.api.revocation.store;

import org.jspecify.annotations.NullMarked;
