/**
 * Looks at what a trial consists of while it is under load: the simulated HSM, the nodes, their
 * processor time, the rows of the ledger. Changes nothing but by the words of {@link
 * org.sluiceca.load.watch.HsmTool} and {@link org.sluiceca.load.watch.TrialNodes}.
 */
@NullMarked
package org.sluiceca.load.watch;

import org.jspecify.annotations.NullMarked;
