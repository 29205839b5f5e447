/** Breaks rules on purpose. */
@NullMarked
package org.sluiceca.mutant.sign;

import org.jspecify.annotations.NullMarked;
