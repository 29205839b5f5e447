/** Accounts in PostgreSQL. */
@NullMarked
package org.sluiceca.api.acme.account.store;

import org.jspecify.annotations.NullMarked;
