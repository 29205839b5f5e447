/**
 * The capacity planner, {@code ./sluice plan}: what a demand needs of HSMs, nodes and database, by
 * formulas over measured costs. {@link org.sluiceca.load.sizing.Sizing} is pure; {@link
 * org.sluiceca.load.sizing.Demand}, {@link org.sluiceca.load.sizing.Machine} and {@link
 * org.sluiceca.load.sizing.Hsm} say of what.
 */
@NullMarked
package org.sluiceca.load.sizing;

import org.jspecify.annotations.NullMarked;
