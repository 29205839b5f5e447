/**
 * Decides which job is next: four lanes, in each lane its flows, in each flow its jobs. Pure: the
 * caller passes the time and guards the state.
 *
 * <p>Entry class: {@link org.sluiceca.hsm.queue.FairQueue}. Knows what a job costs and until when
 * it is awaited, never what it is.
 */
@NullMarked
package org.sluiceca.hsm.queue;

import org.jspecify.annotations.NullMarked;
