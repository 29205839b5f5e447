/**
 * Figures and verdicts of a scenario, in addition to those of its phases, which the judges of load
 * plans make. Pure: a judge is shown to fail on planted faults. Entry: {@link
 * org.sluiceca.load.scenario.judge.ScenarioJudge}.
 */
@NullMarked
package org.sluiceca.load.scenario.judge;

import org.jspecify.annotations.NullMarked;
