/** Tests of what is made of a plan for a trial. */
@NullMarked
package org.sluiceca.load.watch;

import org.jspecify.annotations.NullMarked;
