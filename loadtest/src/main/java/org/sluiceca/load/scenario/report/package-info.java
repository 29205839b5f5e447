/**
 * A scenario's results for people and programs: one page with pictures, and one document. Entry:
 * {@link org.sluiceca.load.scenario.report.ScenarioReport}.
 */
@NullMarked
package org.sluiceca.load.scenario.report;

import org.jspecify.annotations.NullMarked;
