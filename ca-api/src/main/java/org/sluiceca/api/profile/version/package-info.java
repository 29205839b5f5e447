/**
 * Profiles that administrators store and activate while nodes run: what such a version must be,
 * what of it a node takes up, and the acts themselves. Entries: {@link
 * org.sluiceca.api.profile.administration.ProfileAdministration}, {@link
 * org.sluiceca.api.profile.version.ActiveVersions}. Knows nothing of HTTP.
 */
@NullMarked
package org.sluiceca.api.profile.version;

import org.jspecify.annotations.NullMarked;
