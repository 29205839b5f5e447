/**
 * Revocation of certificates: {@link org.sluiceca.core.revoke.Revoker} decides by {@link
 * org.sluiceca.core.revoke.RevocationRules} and records events, never changing one. Knows nothing
 * of CRLs and OCSP, which read what it recorded.
 */
@NullMarked
package org.sluiceca.core.revoke;

import org.jspecify.annotations.NullMarked;
