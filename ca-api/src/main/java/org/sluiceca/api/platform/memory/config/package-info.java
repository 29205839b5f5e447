/** Joins the watch over the heap with the node's life. */
@NullMarked
package org.sluiceca.api.platform.memory.config;

import org.jspecify.annotations.NullMarked;
