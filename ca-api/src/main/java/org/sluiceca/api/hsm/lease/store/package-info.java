/**
 * What the nodes of a token report to one another, in the database. Entry: {@link
 * org.sluiceca.api.hsm.lease.store.PostgresLeaseStore}.
 */
@NullMarked
package org.sluiceca.api.hsm.lease.store;

import org.jspecify.annotations.NullMarked;
