/**
 * The data that OCSP keeps in the database, {@link org.sluiceca.api.ledger.ocsp.ResponderStore},
 * and the revocations that it must learn of, {@link org.sluiceca.api.ledger.ocsp.RevocationFeed}.
 * Knows nothing of responses.
 */
@NullMarked
package org.sluiceca.api.ledger.ocsp;

import org.jspecify.annotations.NullMarked;
