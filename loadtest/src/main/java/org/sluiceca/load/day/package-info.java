/**
 * {@code ./sluice load day}: as many certificates as the field's largest test issued in a day, in
 * batches, over as many sessions as it takes, with all measured at marks on the way. Entry class:
 * DayRun. Black box: the REST contract, sizes and counts of the database, and what the HSM says.
 */
@NullMarked
package org.sluiceca.load.day;

import org.jspecify.annotations.NullMarked;
