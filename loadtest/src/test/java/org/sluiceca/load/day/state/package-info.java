/** Tests of what is kept of a run of a day. */
@NullMarked
package org.sluiceca.load.day.state;

import org.jspecify.annotations.NullMarked;
