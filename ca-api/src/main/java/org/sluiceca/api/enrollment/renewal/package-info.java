/**
 * Renewal by the holder of a certificate's key, without any other credential: the request carries a
 * proof, a signature by that key. Entry: {@link org.sluiceca.api.enrollment.renewal.RenewalProofs};
 * knows nothing of HTTP but the header's syntax.
 */
@NullMarked
package org.sluiceca.api.enrollment.renewal;

import org.jspecify.annotations.NullMarked;
