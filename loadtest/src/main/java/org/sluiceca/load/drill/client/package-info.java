/**
 * Clients of a drill and what they were given. {@link org.sluiceca.load.drill.client.Clients} ask
 * until they are given it, whatever happens; {@link
 * org.sluiceca.load.drill.client.RetryAfterClients} do as Retry-After says, and tell what else was
 * wrong.
 */
@NullMarked
package org.sluiceca.load.drill.client;

import org.jspecify.annotations.NullMarked;
