/**
 * Connections that borrow their buffers: what rests holds none. {@link
 * org.sluiceca.api.http.connector.pooled.BufferPool} makes them, {@link
 * org.sluiceca.api.http.connector.pooled.PooledBuffers} is what the endpoint asks of them.
 */
@NullMarked
package org.sluiceca.api.http.connector.pooled;

import org.jspecify.annotations.NullMarked;
