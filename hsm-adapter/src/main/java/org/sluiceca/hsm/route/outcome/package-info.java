/**
 * Reports the outcome of each signature for the token that made it: {@link
 * org.sluiceca.hsm.route.outcome.ObservedSignature}. Knows neither routes nor breakers.
 */
@NullMarked
package org.sluiceca.hsm.route.outcome;

import org.jspecify.annotations.NullMarked;
