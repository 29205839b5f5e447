/**
 * The sizing table, {@code ./sluice plan table}: what a core of a node and an HSM do a second, by
 * the kind of key. {@link org.sluiceca.load.sizing.table.SizingTable} is pure.
 */
@NullMarked
package org.sluiceca.load.sizing.table;

import org.jspecify.annotations.NullMarked;
