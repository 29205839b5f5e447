/**
 * Connections that borrow their buffers: what rests holds none. {@link
 * org.sluiceca.api.connector.lean.BufferShelf} makes them, {@link
 * org.sluiceca.api.connector.lean.Lean} is what the endpoint asks of them.
 */
@NullMarked
package org.sluiceca.api.connector.lean;

import org.jspecify.annotations.NullMarked;
