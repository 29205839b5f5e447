/**
 * The database's side of what is not issued: {@link org.sluiceca.api.ledger.blocked.NodeNameStore}
 * keeps the nodes' own names.
 */
@NullMarked
package org.sluiceca.api.ledger.blocked;

import org.jspecify.annotations.NullMarked;
