/** The client of {@code bench acme}: a closed loop of orders (RFC 8555) on one CA after another. */
@NullMarked
package org.sluiceca.load.bench.acme;

import org.jspecify.annotations.NullMarked;
