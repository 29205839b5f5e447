/**
 * What {@code ./sluice bench machine} has measured becomes a file of a machine's costs, which
 * {@link org.sluiceca.load.sizing.given.GivenFiles} reads. Entry: {@link
 * org.sluiceca.load.sizing.machine.MachineFile}.
 */
@NullMarked
package org.sluiceca.load.sizing.machine;

import org.jspecify.annotations.NullMarked;
