/**
 * The register of credentials in the database. Entry: {@link
 * org.sluiceca.api.auth.store.CredentialStore}.
 */
@NullMarked
package org.sluiceca.api.auth.store;

import org.jspecify.annotations.NullMarked;
