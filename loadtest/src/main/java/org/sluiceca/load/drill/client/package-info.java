/**
 * Clients of a drill and what they were given. Entry: {@link
 * org.sluiceca.load.drill.client.Clients}.
 */
@NullMarked
package org.sluiceca.load.drill.client;

import org.jspecify.annotations.NullMarked;
