/**
 * Runs a plan from its first process to its last file. Entry: {@link
 * org.sluiceca.load.run.PlanRun}.
 */
@NullMarked
package org.sluiceca.load.run;

import org.jspecify.annotations.NullMarked;
