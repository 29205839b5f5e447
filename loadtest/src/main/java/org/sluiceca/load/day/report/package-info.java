/**
 * What came of a run of a day: its goals, one page, a plot, and all figures as JSON. Entry class:
 * DayReport. Computes from what was kept of the run alone.
 */
@NullMarked
package org.sluiceca.load.day.report;

import org.jspecify.annotations.NullMarked;
