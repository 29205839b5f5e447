package org.sluiceca.core.sign;

import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.time.Deadline;

/**
 * The schedule of a signable.
 *
 * @param requester whose share of the lane it takes
 * @param answerBy until when a client waits for it; afterwards it is as good a minute later
 * @param signBy when the signature is of no more use
 */
public record SignSchedule(Lane lane, RequesterId requester, Deadline answerBy, Deadline signBy) {}
