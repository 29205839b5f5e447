/** The figures of nodes in PostgreSQL, for an hour. */
@NullMarked
package org.sluiceca.api.console.live.nodes.store;

import org.jspecify.annotations.NullMarked;
