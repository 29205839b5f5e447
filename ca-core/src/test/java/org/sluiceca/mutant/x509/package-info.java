/** Breaks rules on purpose. */
@NullMarked
package org.sluiceca.mutant.x509;

import org.jspecify.annotations.NullMarked;
