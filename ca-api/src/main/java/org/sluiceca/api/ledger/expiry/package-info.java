/**
 * When credentials end, counted over all requesters. Entry: {@link
 * org.sluiceca.api.ledger.expiry.CredentialEnds}.
 */
@NullMarked
package org.sluiceca.api.ledger.expiry;

import org.jspecify.annotations.NullMarked;
