/** Breaks rules on purpose. */
@NullMarked
package org.sluiceca.mutant.profile;

import org.jspecify.annotations.NullMarked;
