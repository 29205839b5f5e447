/**
 * Runs a scenario on a trial: starts its parts, has Gatling send, looks at nodes and HSM meanwhile,
 * and hands what was left to the judges. Entry: {@link org.sluiceca.load.scenario.run.ScenarioRun}.
 */
@NullMarked
package org.sluiceca.load.scenario.run;

import org.jspecify.annotations.NullMarked;
