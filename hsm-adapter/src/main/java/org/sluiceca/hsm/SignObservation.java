package org.sluiceca.hsm;

/**
 * What became of a job that a session thread had taken.
 *
 * @param lane where it was served from, which may be another than it was asked for
 * @param flow whose share of the lane it took ({@link SignSchedule#flow})
 * @param waitNanos from the hand-over to the lane until a session thread took the job
 * @param serviceNanos duration of C_SignInit and C_Sign, 0 when neither was called
 */
public record SignObservation(
    Lane lane,
    String flow,
    SignatureClass signatureClass,
    long waitNanos,
    long serviceNanos,
    SignOutcome outcome) {}
