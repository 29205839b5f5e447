/**
 * Administrators register and revoke credentials. Entry: {@link
 * org.sluiceca.api.auth.credential.CredentialsController}.
 */
@NullMarked
package org.sluiceca.api.auth.credential;

import org.jspecify.annotations.NullMarked;
