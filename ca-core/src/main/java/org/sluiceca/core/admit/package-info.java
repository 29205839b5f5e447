/**
 * Step 1: {@link org.sluiceca.core.admit.Admission} gives a request a place on the line, or sheds
 * it with an honest Retry-After, before anything is parsed. Pure state behind a lock, no I/O.
 */
@NullMarked
package org.sluiceca.core.admit;

import org.jspecify.annotations.NullMarked;
