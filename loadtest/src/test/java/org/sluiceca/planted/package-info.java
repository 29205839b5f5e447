/** Two packages that depend on each other, for the rule that forbids it. */
@NullMarked
package org.sluiceca.planted;

import org.jspecify.annotations.NullMarked;
