package org.sluiceca.core.enroll;

import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.sign.IssuerSigner;

/** The collaborators of {@link Enrollment#finish}, in the order of the steps. */
public record FinishSteps(IssuerSigner signer, PostSignCheck postSignCheck) {}
