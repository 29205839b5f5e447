/** Tests of what a run of a day sends and reads. */
@NullMarked
package org.sluiceca.load.day;

import org.jspecify.annotations.NullMarked;
