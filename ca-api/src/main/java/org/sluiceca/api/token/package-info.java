/**
 * Which tokens there are and how each is filled: {@link org.sluiceca.api.token.TokensFile} reads
 * them, {@link org.sluiceca.api.token.SharingOpener} opens them.
 */
@NullMarked
package org.sluiceca.api.token;

import org.jspecify.annotations.NullMarked;
