/**
 * The page of the plan that repeats Microsoft's scale test of 2009: its figures next to ours.
 * Entry: {@link org.sluiceca.load.adcs.ScalePage}.
 */
@NullMarked
package org.sluiceca.load.adcs;

import org.jspecify.annotations.NullMarked;
