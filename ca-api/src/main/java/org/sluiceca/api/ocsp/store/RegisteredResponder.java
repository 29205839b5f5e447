package org.sluiceca.api.ocsp.store;

import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;

/**
 * A certificate under which OCSP responses are signed, and where its key is.
 *
 * @param issuer who issued it, and about whose certificates it answers
 */
public record RegisteredResponder(
    IssuerName issuer,
    CertificateDer certificate,
    OctetString subjectPublicKeyInfo,
    RegisteredIssuer.Key key) {}
