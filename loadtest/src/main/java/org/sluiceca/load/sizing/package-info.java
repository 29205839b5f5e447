/**
 * The capacity planner, {@code ./sluice plan}: what a demand needs of HSMs, nodes and database, by
 * formulas over measured costs. {@link org.sluiceca.load.sizing.Sizing} is pure; its inputs are in
 * {@link org.sluiceca.load.sizing.given}.
 */
@NullMarked
package org.sluiceca.load.sizing;

import org.jspecify.annotations.NullMarked;
