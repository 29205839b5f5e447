/** Composition of what watches expiry. */
@NullMarked
package org.sluiceca.api.wiring.expiry;

import org.jspecify.annotations.NullMarked;
