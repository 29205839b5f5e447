/** A planted bug for the fuzz targets of {@code org.sluiceca.core.fuzz}. */
@NullMarked
package org.sluiceca.mutant.fuzz;

import org.jspecify.annotations.NullMarked;
