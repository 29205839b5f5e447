/**
 * Certificate revocation lists (RFC 5280 5): {@link org.sluiceca.core.crl.CrlIssuance} is their
 * line, {@link org.sluiceca.core.crl.CrlSchedule} says when, {@link
 * org.sluiceca.core.crl.DeltaSchedule} for deltas. Reads what {@code revoke} recorded.
 */
@NullMarked
package org.sluiceca.core.crl;

import org.jspecify.annotations.NullMarked;
