/** Tests of the client of {@code bench acme}. */
@NullMarked
package org.sluiceca.load.bench.acme;

import org.jspecify.annotations.NullMarked;
