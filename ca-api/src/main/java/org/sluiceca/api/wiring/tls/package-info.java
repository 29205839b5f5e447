/** Builds the parts of {@link org.sluiceca.api.tls}. */
@NullMarked
package org.sluiceca.api.wiring.tls;

import org.jspecify.annotations.NullMarked;
