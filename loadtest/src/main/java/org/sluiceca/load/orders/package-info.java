/**
 * Many orders at once: sent in batches that no client waits for, while nodes are killed; afterwards
 * the ledger's rows are counted.
 */
@NullMarked
package org.sluiceca.load.orders;

import org.jspecify.annotations.NullMarked;
