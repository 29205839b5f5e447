/** Breaks rules on purpose. */
@NullMarked
package org.sluiceca.mutant.revoke;

import org.jspecify.annotations.NullMarked;
