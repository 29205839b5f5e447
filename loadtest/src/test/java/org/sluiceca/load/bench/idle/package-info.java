/** Tests of the client of {@code bench idle} and of its page. */
@NullMarked
package org.sluiceca.load.bench.idle;

import org.jspecify.annotations.NullMarked;
