/**
 * What setup asks of a database before it relies on it.
 *
 * <p>Entry class: {@link org.sluiceca.api.cli.setup.store.DatabaseCheck}. Changes nothing, and
 * knows nothing of the dialogue.
 */
@NullMarked
package org.sluiceca.api.cli.setup.store;

import org.jspecify.annotations.NullMarked;
