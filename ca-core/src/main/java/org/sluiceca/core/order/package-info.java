/**
 * Orders: what nobody waits for. If the line has no place for one it is recorded in a backlog, and
 * a node takes it from there when there is room. Pure policy; the backlog itself is {@code
 * intent.OrderStore}.
 */
@NullMarked
package org.sluiceca.core.order;

import org.jspecify.annotations.NullMarked;
