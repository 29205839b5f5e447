/**
 * What nodes say of themselves: how their tokens stand, and how long they wait for what. It is
 * shown beside what others saw of them; only the order of their timeouts is judged by it.
 */
@NullMarked
package org.sluiceca.load.inside;

import org.jspecify.annotations.NullMarked;
