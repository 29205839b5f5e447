/** What renewal windows are computed from, in PostgreSQL. */
@NullMarked
package org.sluiceca.api.renewal.store;

import org.jspecify.annotations.NullMarked;
