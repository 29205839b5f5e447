/**
 * What a run of a day has come to, kept so that it goes on after any end: the plan, an append-only
 * journal, and the figures of each mark. Entry class: Journal. Knows nothing of nodes and HTTP.
 */
@NullMarked
package org.sluiceca.load.day.state;

import org.jspecify.annotations.NullMarked;
