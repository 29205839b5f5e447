package org.sluiceca.core.plan.lint;

import java.time.Instant;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.profile.CertificateProfile;

/**
 * What a lint sees: the certificate as parsed back from its bytes, and what it is measured by.
 *
 * @param raw the same bytes, divided by a parser that shares nothing with the code that wrote them
 * @param issuer the issuer's side of the rules
 * @param now when it is judged, which is about to be signed
 */
record PlannedCertificate(
    TbsCertificate tbs,
    RawCertificate raw,
    CertificateProfile profile,
    IssuerSide issuer,
    Instant now) {}
