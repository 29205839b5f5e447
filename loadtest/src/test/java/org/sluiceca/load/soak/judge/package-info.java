/** Tests of the judges, each of which must find what is planted. */
@NullMarked
package org.sluiceca.load.soak.judge;

import org.jspecify.annotations.NullMarked;
