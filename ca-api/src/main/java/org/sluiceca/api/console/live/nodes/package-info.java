/**
 * The figures of all nodes, which pass through the database while a live page of any of them is
 * open: {@link org.sluiceca.api.console.live.nodes.NodesFeed}. Knows no page and no SQL.
 */
@NullMarked
package org.sluiceca.api.console.live.nodes;

import org.jspecify.annotations.NullMarked;
