/**
 * {@code bench idle}: what a node costs at the low rates of real fleets. {@link
 * org.sluiceca.load.bench.idle.IdleBench} is the client, {@link
 * org.sluiceca.load.bench.idle.IdlePage} writes the page.
 */
@NullMarked
package org.sluiceca.load.bench.idle;

import org.jspecify.annotations.NullMarked;
