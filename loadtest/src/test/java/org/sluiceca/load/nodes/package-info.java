/** Runs with several numbers of nodes next to each other. */
@NullMarked
package org.sluiceca.load.nodes;

import org.jspecify.annotations.NullMarked;
