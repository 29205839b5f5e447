/**
 * What a node does before it is ready so that its first clients need not wait for classes and
 * compilers. Entry: {@link org.sluiceca.api.warm.WarmUp}. Nothing is issued or recorded here.
 */
@NullMarked
package org.sluiceca.api.warm;

import org.jspecify.annotations.NullMarked;
