/** Tests of what a drill does to machines, with a process in their place. */
@NullMarked
package org.sluiceca.load.drill.machine;

import org.jspecify.annotations.NullMarked;
