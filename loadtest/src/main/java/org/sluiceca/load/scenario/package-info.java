/**
 * What a scenario of Gatling's says: a plan's nodes, HSM, phases and goals, how its clients behave,
 * and limits of the whole run. Values only, which know neither processes nor clocks. Entry: {@link
 * org.sluiceca.load.scenario.ScenarioFile}.
 */
@NullMarked
package org.sluiceca.load.scenario;

import org.jspecify.annotations.NullMarked;
