/**
 * What admins do over REST: {@link org.sluiceca.api.admin.CredentialsController}, {@link
 * org.sluiceca.api.admin.ProfileEditionsController}.
 */
@NullMarked
package org.sluiceca.api.admin;

import org.jspecify.annotations.NullMarked;
