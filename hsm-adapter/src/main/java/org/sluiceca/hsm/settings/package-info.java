/** How a token is opened and used. Entry: {@link org.sluiceca.hsm.settings.HsmSettings}. */
@NullMarked
package org.sluiceca.hsm.settings;

import org.jspecify.annotations.NullMarked;
