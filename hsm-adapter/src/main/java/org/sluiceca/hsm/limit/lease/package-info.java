/**
 * How the nodes on one token divide its window: what they tell each other, and the mind of the one
 * that leads. Entry class: {@link org.sluiceca.hsm.limit.lease.LeaseMember}, over the port {@link
 * org.sluiceca.hsm.limit.lease.LeaseStore}. Pure: no threads, no clock, no database.
 */
@NullMarked
package org.sluiceca.hsm.limit.lease;

import org.jspecify.annotations.NullMarked;
