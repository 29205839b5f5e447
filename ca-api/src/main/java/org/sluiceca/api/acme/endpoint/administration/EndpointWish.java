package org.sluiceca.api.acme.endpoint.administration;

import java.util.OptionalInt;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.request.RequesterId;

/**
 * A request for what is to be served under a name.
 *
 * @param version a stored one; empty for each node's own file
 * @param replaces the number of the activation of this name that it is to follow, 0 for none
 * @param by the requester
 */
public record EndpointWish(EndpointName name, OptionalInt version, long replaces, RequesterId by) {}
