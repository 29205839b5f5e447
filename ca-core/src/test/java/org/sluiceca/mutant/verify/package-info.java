/** Breaks rules on purpose. */
@NullMarked
package org.sluiceca.mutant.verify;

import org.jspecify.annotations.NullMarked;
