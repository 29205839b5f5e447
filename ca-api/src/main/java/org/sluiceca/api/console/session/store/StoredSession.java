package org.sluiceca.api.console.session.store;

import java.time.Instant;
import java.util.UUID;

/**
 * A session that has neither ended nor passed a bound.
 *
 * @param credential by which its requester signed in
 * @param createdAt the database's time
 */
public record StoredSession(UUID credential, Instant createdAt) {}
