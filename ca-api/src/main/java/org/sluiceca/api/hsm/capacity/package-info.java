/** Shows the queue of the HSM to clients: {@code GET /v1/capacity}. */
@NullMarked
package org.sluiceca.api.hsm.capacity;

import org.jspecify.annotations.NullMarked;
