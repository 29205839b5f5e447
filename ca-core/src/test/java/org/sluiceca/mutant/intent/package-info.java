/** Breaks rules on purpose. */
@NullMarked
package org.sluiceca.mutant.intent;

import org.jspecify.annotations.NullMarked;
