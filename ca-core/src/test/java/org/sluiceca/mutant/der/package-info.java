/** Breaks rules on purpose. */
@NullMarked
package org.sluiceca.mutant.der;

import org.jspecify.annotations.NullMarked;
