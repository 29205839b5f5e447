/** The load under which the start-up cache of nodes is trained (docs/adr/0072). */
@NullMarked
package org.sluiceca.load.training;

import org.jspecify.annotations.NullMarked;
