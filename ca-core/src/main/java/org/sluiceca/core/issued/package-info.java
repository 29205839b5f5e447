/**
 * Step 7: {@link org.sluiceca.core.issued.PostSignCheck} believes no signature until it has
 * verified under the issuer's key.
 */
@NullMarked
package org.sluiceca.core.issued;

import org.jspecify.annotations.NullMarked;
