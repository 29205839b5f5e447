/**
 * The inputs of the capacity planner: a demand, what the software costs on a machine, and what one
 * HSM can do. Values with their ranges; {@link org.sluiceca.load.sizing.given.GivenFiles} reads
 * them. Knows nothing of what is made of them.
 */
@NullMarked
package org.sluiceca.load.sizing.given;

import org.jspecify.annotations.NullMarked;
