/**
 * Times and rates of step 1: how fast the line drains ({@link
 * org.sluiceca.core.throughput.DrainRate}) and when a refused client should come back ({@link
 * org.sluiceca.core.throughput.RetryScheduler}). Pure arithmetic that takes the time as a
 * parameter; does not depend on lanes or requesters.
 */
@NullMarked
package org.sluiceca.core.throughput;

import org.jspecify.annotations.NullMarked;
