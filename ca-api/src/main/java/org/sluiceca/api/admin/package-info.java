/**
 * What admins do over REST: {@link org.sluiceca.api.admin.CredentialsController}, {@link
 * org.sluiceca.api.admin.ProfileVersionsController}.
 */
@NullMarked
package org.sluiceca.api.admin;

import org.jspecify.annotations.NullMarked;
