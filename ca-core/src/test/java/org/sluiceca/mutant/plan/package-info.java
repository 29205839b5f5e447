/** Breaks rules on purpose. */
@NullMarked
package org.sluiceca.mutant.plan;

import org.jspecify.annotations.NullMarked;
