/**
 * Waiting that costs no timer: {@link org.sluiceca.api.wait.CoarseTimer} wakes those whose time is
 * over. Knows nothing of what is waited for.
 */
@NullMarked
package org.sluiceca.api.wait;

import org.jspecify.annotations.NullMarked;
