/** Spent nonces in PostgreSQL. */
@NullMarked
package org.sluiceca.api.acme.nonce.store;

import org.jspecify.annotations.NullMarked;
