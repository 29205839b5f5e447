package org.sluiceca.api.profile.administration;

import java.util.OptionalInt;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;

/**
 * A request for what is to issue under a name.
 *
 * @param version a stored one; empty for each node's own file
 * @param replaces the number of the activation of this name that it is to follow, 0 for none
 * @param by the requester
 */
public record ProfileWish(ProfileName name, OptionalInt version, long replaces, RequesterId by) {}
