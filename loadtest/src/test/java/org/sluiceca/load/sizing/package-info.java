/** The capacity planner: its formulas against known values and a simulation, its input. */
@NullMarked
package org.sluiceca.load.sizing;

import org.jspecify.annotations.NullMarked;
