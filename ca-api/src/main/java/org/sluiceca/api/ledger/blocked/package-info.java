/**
 * The database's side of what is not issued: {@link org.sluiceca.api.ledger.blocked.NodeNameStore}
 * keeps the nodes' own names, {@link org.sluiceca.api.ledger.blocked.CompromisedKeyStore} reads the
 * compromised keys.
 */
@NullMarked
package org.sluiceca.api.ledger.blocked;

import org.jspecify.annotations.NullMarked;
