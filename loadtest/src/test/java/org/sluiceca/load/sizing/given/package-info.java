/** What the capacity planner is told. */
@NullMarked
package org.sluiceca.load.sizing.given;

import org.jspecify.annotations.NullMarked;
