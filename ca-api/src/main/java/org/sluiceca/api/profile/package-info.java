/**
 * Profile files: YAML in, validated profiles of the core out, or one line that names the fault.
 * Entry: {@link org.sluiceca.api.profile.ProfileFiles}. The loose form of a file stays here.
 */
@NullMarked
package org.sluiceca.api.profile;

import org.jspecify.annotations.NullMarked;
