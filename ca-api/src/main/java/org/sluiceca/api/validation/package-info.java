/**
 * What a client of ACME proves and how a proof is judged: the values that validators of challenges
 * take and return, and the policy of addresses to which they may connect.
 *
 * <p>Start with {@link org.sluiceca.api.validation.Challenge}. Knows nothing of accounts, orders or
 * stores.
 */
@NullMarked
package org.sluiceca.api.validation;

import org.jspecify.annotations.NullMarked;
