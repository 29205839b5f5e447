/** The capacity planner's input. */
@NullMarked
package org.sluiceca.load.sizing.given;

import org.jspecify.annotations.NullMarked;
