/**
 * The three kinds of failure, never mixed: {@link org.sluiceca.core.failure.Rejection} is the
 * client's fault, {@link org.sluiceca.core.failure.CaUnavailable} ours and retryable, {@link
 * org.sluiceca.core.failure.Invariant} a bug. Knows no wire format.
 */
@NullMarked
package org.sluiceca.core.failure;

import org.jspecify.annotations.NullMarked;
