/**
 * What no request under {@code /v1} may carry, on whatever route: {@link
 * org.sluiceca.api.input.QueryGuard} refuses query parameters that a route does not have, {@link
 * org.sluiceca.api.input.PrivateKeyGuard} refuses private keys. Knows no route of its own.
 */
@NullMarked
package org.sluiceca.api.input;

import org.jspecify.annotations.NullMarked;
