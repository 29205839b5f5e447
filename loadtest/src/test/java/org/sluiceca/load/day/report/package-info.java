/** Tests of the goals of a run of a day, with planted faults. */
@NullMarked
package org.sluiceca.load.day.report;

import org.jspecify.annotations.NullMarked;
