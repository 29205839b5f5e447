package org.sluiceca.core.plan.lint;

import org.sluiceca.core.x509.IssuerConstraints;
import org.sluiceca.core.x509.NameDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;
import org.sluiceca.core.x509.Validity;

/** What lints need of the issuer; {@code subject} is its own name. */
public record IssuerSide(
    NameDer subject,
    SubjectPublicKeyInfo key,
    OctetString keyIdentifier,
    Validity validity,
    IssuerConstraints constraints) {}
