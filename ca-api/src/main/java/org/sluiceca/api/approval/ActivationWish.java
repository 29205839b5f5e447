package org.sluiceca.api.approval;

import java.util.OptionalInt;
import org.sluiceca.core.request.RequesterId;

/**
 * A request for the version of a file that is to be active under a name.
 *
 * @param name of type {@code N}
 * @param version a stored one; empty for each node's own file
 * @param replaces the number of the activation of this name that it is to follow, 0 for none
 * @param by the requester
 */
public record ActivationWish<N>(N name, OptionalInt version, long replaces, RequesterId by) {}
