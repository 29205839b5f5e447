/**
 * Orders that wait in the ledger's backlog: {@link org.sluiceca.api.issuance.backlog.BacklogPass}
 * takes them from there onto the line as it has room, {@link
 * org.sluiceca.api.issuance.backlog.BacklogWatch} reports how many there are and when one comes.
 */
@NullMarked
package org.sluiceca.api.issuance.backlog;

import org.jspecify.annotations.NullMarked;
