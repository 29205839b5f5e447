/**
 * The issuers' part of the composition root: what administrators do to them while nodes run. Entry:
 * {@link org.sluiceca.api.wiring.issuer.IssuerConfiguration}.
 */
@NullMarked
package org.sluiceca.api.wiring.issuer;

import org.jspecify.annotations.NullMarked;
