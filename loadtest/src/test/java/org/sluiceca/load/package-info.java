/** Tests of what the command makes of its plan. */
@NullMarked
package org.sluiceca.load;

import org.jspecify.annotations.NullMarked;
