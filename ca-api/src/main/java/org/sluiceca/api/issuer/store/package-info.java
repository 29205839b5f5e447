/**
 * The register of issuers and of their keys in the database. Entry: {@link
 * org.sluiceca.api.issuer.store.IssuerStore}.
 */
@NullMarked
package org.sluiceca.api.issuer.store;

import org.jspecify.annotations.NullMarked;
