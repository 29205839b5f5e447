/**
 * Which connection is closed first when a port has reached a limit, and when connections are looked
 * at. Entry: {@link org.sluiceca.api.http.connector.evict.IdleConnections} for connections between
 * requests, {@link org.sluiceca.api.http.connector.evict.BodyWaits} for those whose request's body
 * has not come, {@link org.sluiceca.api.http.connector.evict.ConnectionSweep} for when. Knows
 * nothing of Tomcat.
 */
@NullMarked
package org.sluiceca.api.http.connector.evict;

import org.jspecify.annotations.NullMarked;
