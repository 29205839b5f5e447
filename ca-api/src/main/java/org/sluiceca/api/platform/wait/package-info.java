/**
 * Waiting that costs no timer: {@link org.sluiceca.api.platform.wait.CoarseTimer} wakes those whose
 * time is over. Knows nothing of what is waited for.
 */
@NullMarked
package org.sluiceca.api.platform.wait;

import org.jspecify.annotations.NullMarked;
