/**
 * The bounded lane in front of a token: who waits, who is served, and what happens when the token
 * does not answer or goes away.
 *
 * <p>Entry class: {@link org.sluiceca.hsm.lane.LaneSupervisor}. The only package that creates
 * threads. Knows jobs and sessions, never certificates or requesters.
 */
@NullMarked
package org.sluiceca.hsm.lane;

import org.jspecify.annotations.NullMarked;
