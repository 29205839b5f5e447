/**
 * The figures that nodes report of themselves: the state of their tokens, and their timeouts. They
 * are shown next to what others measured; only the order of the timeouts is judged by them.
 */
@NullMarked
package org.sluiceca.load.inside;

import org.jspecify.annotations.NullMarked;
