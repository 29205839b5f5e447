/** Builds the parts of {@link org.sluiceca.api.issuance}. */
@NullMarked
package org.sluiceca.api.wiring.issuance;

import org.jspecify.annotations.NullMarked;
