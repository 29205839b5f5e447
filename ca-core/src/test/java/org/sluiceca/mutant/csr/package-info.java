/** Breaks rules on purpose. */
@NullMarked
package org.sluiceca.mutant.csr;

import org.jspecify.annotations.NullMarked;
