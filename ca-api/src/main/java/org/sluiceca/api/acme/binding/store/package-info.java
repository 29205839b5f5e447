/** Bindings in PostgreSQL. */
@NullMarked
package org.sluiceca.api.acme.binding.store;

import org.jspecify.annotations.NullMarked;
