/**
 * Which tokens there are and how each is filled: {@link org.sluiceca.api.hsm.token.TokensFile}
 * reads them, {@link org.sluiceca.api.hsm.token.SharingOpener} opens them.
 */
@NullMarked
package org.sluiceca.api.hsm.token;

import org.jspecify.annotations.NullMarked;
