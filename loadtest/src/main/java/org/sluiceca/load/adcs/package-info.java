/**
 * The page of the plan that builds Microsoft's scale test of 2009 anew: its figures beside ours.
 * Entry: {@link org.sluiceca.load.adcs.ScalePage}.
 */
@NullMarked
package org.sluiceca.load.adcs;

import org.jspecify.annotations.NullMarked;
