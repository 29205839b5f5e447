/** Tests of what a drill judges by. */
@NullMarked
package org.sluiceca.load.drill;

import org.jspecify.annotations.NullMarked;
