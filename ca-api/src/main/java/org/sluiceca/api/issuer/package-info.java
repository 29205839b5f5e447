/**
 * The issuers that the ceremony installed, as a node sees them: {@link
 * org.sluiceca.api.issuer.ActiveIssuers}, their public side and the keys that sign for them.
 */
@NullMarked
package org.sluiceca.api.issuer;

import org.jspecify.annotations.NullMarked;
