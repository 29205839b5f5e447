/**
 * Remembers when credentials were used. Entry: {@link org.sluiceca.api.auth.use.CredentialUses}. It
 * knows ids, never tokens or requesters.
 */
@NullMarked
package org.sluiceca.api.auth.use;

import org.jspecify.annotations.NullMarked;
