package org.sluiceca.api.http.access;

import java.time.Instant;
import java.util.Optional;

/**
 * What the access log says about a request: names from closed sets and identities that this CA
 * gave, never a path, header, token or body.
 *
 * @param requestId what the client got as X-Request-Id and in a problem
 * @param millis from the first filter until the answer was handed over
 * @param queueWaitMillis how long its signatures waited for a token, together; 0 without one
 * @param requester empty if the client did not authenticate
 * @param address the client's address, if the configuration asks for it
 */
record AccessLine(
    Instant at,
    String requestId,
    String method,
    String route,
    int status,
    long millis,
    long queueWaitMillis,
    Optional<String> requester,
    Optional<String> address) {}
