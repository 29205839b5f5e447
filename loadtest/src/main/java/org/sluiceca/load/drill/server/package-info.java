/**
 * PostgreSQL servers of a drill: started, killed, copied, followed by a standby over a line that
 * can be stalled. Entry: {@link org.sluiceca.load.drill.server.Servers}. Knows nothing of the
 * product.
 */
@NullMarked
package org.sluiceca.load.drill.server;

import org.jspecify.annotations.NullMarked;
