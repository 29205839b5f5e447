/**
 * How much memory a node keeps: {@link org.sluiceca.api.platform.memory.OldGenerationLimit} has the
 * collector clear what it would otherwise leave until the heap is full.
 */
@NullMarked
package org.sluiceca.api.platform.memory;

import org.jspecify.annotations.NullMarked;
