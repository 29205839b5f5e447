/** Tests of how a soak reads what nodes answer, and of what it takes for met. */
@NullMarked
package org.sluiceca.load.soak;

import org.jspecify.annotations.NullMarked;
