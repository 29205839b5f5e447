/** Breaks rules on purpose. */
@NullMarked
package org.sluiceca.mutant.unlisted;

import org.jspecify.annotations.NullMarked;
