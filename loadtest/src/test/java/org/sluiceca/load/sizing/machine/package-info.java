/** A machine's costs from what was measured. */
@NullMarked
package org.sluiceca.load.sizing.machine;

import org.jspecify.annotations.NullMarked;
