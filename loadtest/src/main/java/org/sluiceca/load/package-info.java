/**
 * The launcher's load commands: requests of foreign making for {@code ./sluice bench}, and {@code
 * ./sluice load}. Knows the product only from outside: REST, metrics, and the rows of its ledger.
 * Entry: {@code command.LoadCommand}.
 */
@NullMarked
package org.sluiceca.load;

import org.jspecify.annotations.NullMarked;
