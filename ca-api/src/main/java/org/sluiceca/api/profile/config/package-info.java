/**
 * Makes one catalogue of files and activated versions. Entry: {@link
 * org.sluiceca.api.profile.config.ProfileConfiguration}.
 */
@NullMarked
package org.sluiceca.api.profile.config;

import org.jspecify.annotations.NullMarked;
