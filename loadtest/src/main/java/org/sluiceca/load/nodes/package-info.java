/**
 * Compares the results of one plan with several numbers of nodes, {@code ./sluice load nodes}.
 * Reads what each run has written; entry: {@link org.sluiceca.load.nodes.NodesCommand}.
 */
@NullMarked
package org.sluiceca.load.nodes;

import org.jspecify.annotations.NullMarked;
