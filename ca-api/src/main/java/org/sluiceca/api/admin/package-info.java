/** What admins do over REST: {@link org.sluiceca.api.admin.CredentialsController}. */
@NullMarked
package org.sluiceca.api.admin;

import org.jspecify.annotations.NullMarked;
