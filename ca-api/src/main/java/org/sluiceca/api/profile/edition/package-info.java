/**
 * Profiles that administrators store and activate while nodes run: what such an edition must be,
 * what of it a node takes up, and the acts themselves. Entries: {@link
 * org.sluiceca.api.profile.edition.ProfileAdministration}, {@link
 * org.sluiceca.api.profile.edition.ActiveEditions}. Knows nothing of HTTP.
 */
@NullMarked
package org.sluiceca.api.profile.edition;

import org.jspecify.annotations.NullMarked;
