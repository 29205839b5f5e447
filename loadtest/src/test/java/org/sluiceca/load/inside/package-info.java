/** Tests of what nodes say of themselves. */
@NullMarked
package org.sluiceca.load.inside;

import org.jspecify.annotations.NullMarked;
