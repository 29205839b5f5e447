/**
 * Stores versions of profiles and activates them. Entry: {@link
 * org.sluiceca.api.profile.administration.ProfileAdministration}.
 */
@NullMarked
package org.sluiceca.api.profile.administration;

import org.jspecify.annotations.NullMarked;
