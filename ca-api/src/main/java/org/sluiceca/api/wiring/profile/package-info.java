/**
 * The profiles' part of the composition root: files and activated versions become one catalogue.
 * Entry: {@link org.sluiceca.api.wiring.profile.ProfileConfiguration}.
 */
@NullMarked
package org.sluiceca.api.wiring.profile;

import org.jspecify.annotations.NullMarked;
