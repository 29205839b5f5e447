/** The sizing table by known numbers. */
@NullMarked
package org.sluiceca.load.sizing.table;

import org.jspecify.annotations.NullMarked;
