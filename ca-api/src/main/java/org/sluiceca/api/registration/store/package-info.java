/** Requests for certificates in PostgreSQL. */
@NullMarked
package org.sluiceca.api.registration.store;

import org.jspecify.annotations.NullMarked;
