/** Asks PostgreSQL what has changed. */
@NullMarked
package org.sluiceca.api.platform.change.store;

import org.jspecify.annotations.NullMarked;
