/**
 * The part of the composition root for what is not issued: reserved names and compromised keys.
 * Entry: {@link org.sluiceca.api.wiring.blocked.BlockedConfiguration}.
 */
@NullMarked
package org.sluiceca.api.wiring.blocked;

import org.jspecify.annotations.NullMarked;
