/**
 * Which requesters ask for places of a signing pool's line, and what each has of it: {@link
 * org.sluiceca.core.admit.share.Requesters} knows them. Step 1 decides how much a requester may
 * have. Pure state, no lock, no I/O; step 1 guards it.
 */
@NullMarked
package org.sluiceca.core.admit.share;

import org.jspecify.annotations.NullMarked;
