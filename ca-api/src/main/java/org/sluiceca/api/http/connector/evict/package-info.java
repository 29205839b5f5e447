/**
 * Which connection is closed first when a port has reached a limit. Entry: {@link
 * org.sluiceca.api.http.connector.evict.IdleConnections} for connections between requests, {@link
 * org.sluiceca.api.http.connector.evict.BodyWaits} for those whose request's body has not come.
 * Knows nothing of Tomcat.
 */
@NullMarked
package org.sluiceca.api.http.connector.evict;

import org.jspecify.annotations.NullMarked;
