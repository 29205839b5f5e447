/**
 * One plan with several numbers of nodes, {@code ./sluice load nodes}: what their results say
 * beside each other. Reads what each run has written; entry: {@link
 * org.sluiceca.load.nodes.NodesCommand}.
 */
@NullMarked
package org.sluiceca.load.nodes;

import org.jspecify.annotations.NullMarked;
