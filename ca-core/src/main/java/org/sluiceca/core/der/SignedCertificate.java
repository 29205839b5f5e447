package org.sluiceca.core.der;

import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.TbsCertificateDer;

/** A certificate in its three parts (RFC 5280 4.1), with the first part also decoded. */
public record SignedCertificate(
    TbsCertificateDer tbs,
    TbsCertificate fields,
    SignatureAlgorithm signatureAlgorithm,
    OctetString signature) {}
