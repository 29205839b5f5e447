/**
 * What a load plan says: nodes, the simulated HSM, phases with what is offered and what happens,
 * and goals. Values only, which know neither processes nor clocks. Entry: {@link
 * org.sluiceca.load.plan.PlanFile}.
 */
@NullMarked
package org.sluiceca.load.plan;

import org.jspecify.annotations.NullMarked;
