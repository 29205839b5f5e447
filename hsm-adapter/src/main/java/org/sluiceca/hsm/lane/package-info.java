/**
 * The bounded way to a token: who waits, who is served, and what happens when the token does not
 * answer.
 *
 * <p>Entry classes: {@link org.sluiceca.hsm.lane.LaneClient} for those who ask, {@link
 * org.sluiceca.hsm.lane.SigningLane} for sessions. Knows jobs, never certificates or modules.
 */
@NullMarked
package org.sluiceca.hsm.lane;

import org.jspecify.annotations.NullMarked;
