package org.sluiceca.hsm;

/**
 * What became of a job that a session thread had taken.
 *
 * @param waitNanos from the hand-over to the lane until a session thread took the job
 * @param serviceNanos duration of C_SignInit and C_Sign, 0 when neither was called
 */
public record SignObservation(
    Lane lane,
    SignatureClass signatureClass,
    long waitNanos,
    long serviceNanos,
    SignOutcome outcome) {}
