/**
 * Orders: requests for which no client waits. If the line has no place for an order, it is recorded
 * in a backlog, and a node takes it from there when there is room. Pure policy; the backlog itself
 * is {@code intent.OrderStore}.
 */
@NullMarked
package org.sluiceca.core.order;

import org.jspecify.annotations.NullMarked;
