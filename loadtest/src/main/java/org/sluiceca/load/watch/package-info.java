/**
 * Makes a trial and looks at what it consists of while it is under load: the simulated HSMs, the
 * nodes, their processor time, the rows of the ledger. Changes nothing but by the words of {@link
 * org.sluiceca.load.watch.HsmMaker}, {@link org.sluiceca.load.watch.HsmDevices} and {@link
 * org.sluiceca.load.watch.TrialNodes}.
 */
@NullMarked
package org.sluiceca.load.watch;

import org.jspecify.annotations.NullMarked;
