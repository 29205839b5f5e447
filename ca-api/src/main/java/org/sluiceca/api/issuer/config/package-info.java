/**
 * The issuers' part of the composition root: what administrators do to them while nodes run. Entry:
 * {@link org.sluiceca.api.issuer.config.IssuerConfiguration}.
 */
@NullMarked
package org.sluiceca.api.issuer.config;

import org.jspecify.annotations.NullMarked;
