/**
 * The operators' view of a node: metrics and health, read from snapshots and events. Never signs,
 * queries or takes a lock of the lane for a scrape. The metrics' names are docs/OPERATIONS.md's.
 */
@NullMarked
package org.sluiceca.api.observe;

import org.jspecify.annotations.NullMarked;
