/** Below {@link org.sluiceca.planted}. */
@NullMarked
package org.sluiceca.planted.child;

import org.jspecify.annotations.NullMarked;
