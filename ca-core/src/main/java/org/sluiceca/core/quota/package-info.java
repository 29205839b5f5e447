/**
 * What a requester may have of a node whatever the load: {@link org.sluiceca.core.quota.Quotas}
 * counts it. Pure state, no lock, no I/O; step 1 guards it.
 */
@NullMarked
package org.sluiceca.core.quota;

import org.jspecify.annotations.NullMarked;
