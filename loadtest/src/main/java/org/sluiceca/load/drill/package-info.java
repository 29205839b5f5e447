/**
 * Drills with databases and nodes of their own: a backup restored, a standby promoted, nodes
 * replaced, under load, and every certificate that a client was given compared with the ledger
 * afterwards (docs/adr/0044-database-drills.md). Entry: {@link
 * org.sluiceca.load.drill.DrillCommand}. Knows the product from outside, and PostgreSQL by its own
 * means.
 */
@NullMarked
package org.sluiceca.load.drill;

import org.jspecify.annotations.NullMarked;
