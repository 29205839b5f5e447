/**
 * What no request under {@code /v1} may carry, on whatever route: {@link
 * org.sluiceca.api.http.input.QueryGuard} refuses query parameters that a route does not have,
 * {@link org.sluiceca.api.http.input.PrivateKeyGuard} refuses private keys. Knows no route of its
 * own.
 */
@NullMarked
package org.sluiceca.api.http.input;

import org.jspecify.annotations.NullMarked;
