/** Runs with several numbers of nodes beside each other. */
@NullMarked
package org.sluiceca.load.nodes;

import org.jspecify.annotations.NullMarked;
