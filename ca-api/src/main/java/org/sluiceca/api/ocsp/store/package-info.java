/**
 * The data that OCSP keeps in the database, {@link org.sluiceca.api.ocsp.store.ResponderStore}, and
 * the revocations that it must learn of, {@link org.sluiceca.api.ocsp.store.RevocationFeed}. Knows
 * nothing of responses.
 */
@NullMarked
package org.sluiceca.api.ocsp.store;

import org.jspecify.annotations.NullMarked;
