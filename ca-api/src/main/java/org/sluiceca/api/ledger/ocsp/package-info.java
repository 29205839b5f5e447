/**
 * What OCSP keeps in the database, {@link org.sluiceca.api.ledger.ocsp.ResponderStore}, and what it
 * must hear of, {@link org.sluiceca.api.ledger.ocsp.RevocationFeed}. Knows nothing of responses.
 */
@NullMarked
package org.sluiceca.api.ledger.ocsp;

import org.jspecify.annotations.NullMarked;
