/**
 * Step 3: {@link org.sluiceca.core.csr.CsrVerifier} turns the request's bytes into a {@link
 * org.sluiceca.core.csr.VerifiedCsr} whose key is strong and in the requester's possession.
 */
@NullMarked
package org.sluiceca.core.csr;

import org.jspecify.annotations.NullMarked;
