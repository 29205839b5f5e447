/**
 * Times and rates of step 1: how fast the line drains ({@link
 * org.sluiceca.core.throughput.DrainRate}) and when whoever is turned away should come back ({@link
 * org.sluiceca.core.throughput.RetryScheduler}). Pure arithmetic that is told the time; knows
 * nothing of lanes and requesters.
 */
@NullMarked
package org.sluiceca.core.throughput;

import org.jspecify.annotations.NullMarked;
