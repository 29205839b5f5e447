/**
 * Step 7: {@link org.sluiceca.core.check.PostSignCheck} believes no signature until it has verified
 * under the key that was meant.
 */
@NullMarked
package org.sluiceca.core.check;

import org.jspecify.annotations.NullMarked;
