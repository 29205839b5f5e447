/**
 * How the loops of a node learn that there is something to do: one thread asks for all of them what
 * has changed in the database, and each rests until then. Entry class: {@link
 * org.sluiceca.api.platform.change.ChangeWatch}.
 */
@NullMarked
package org.sluiceca.api.platform.change;

import org.jspecify.annotations.NullMarked;
