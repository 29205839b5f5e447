/** The commands of the load tool, alone. */
@NullMarked
package org.sluiceca.load.command;

import org.jspecify.annotations.NullMarked;
