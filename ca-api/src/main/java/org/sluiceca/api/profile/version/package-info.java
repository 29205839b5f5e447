/**
 * Versions of profiles that are stored and activated while nodes run: what such a version must be,
 * and what of it a node takes up. Entry: {@link org.sluiceca.api.profile.version.ActiveVersions}.
 * Knows nothing of HTTP.
 */
@NullMarked
package org.sluiceca.api.profile.version;

import org.jspecify.annotations.NullMarked;
