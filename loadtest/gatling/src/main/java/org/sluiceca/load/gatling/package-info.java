/**
 * What runs in Gatling's JVM: a simulation by the terms of a scenario. Knows the service by its
 * contract alone, and judges nothing. Entry: {@link org.sluiceca.load.gatling.ScenarioSimulation}.
 */
@NullMarked
package org.sluiceca.load.gatling;

import org.jspecify.annotations.NullMarked;
