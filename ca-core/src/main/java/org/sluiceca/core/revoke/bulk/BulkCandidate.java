package org.sluiceca.core.revoke.bulk;

import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.TbsCertificateDer;

/**
 * A certificate of the ledger that a selection names: issued before the selection's moment, and at
 * that moment not revoked for good.
 *
 * @param isOnHold whether it was on hold at that moment
 */
public record BulkCandidate(
    SerialNumber serialNumber,
    RequesterId requester,
    ProfileName profile,
    IssuerName issuer,
    TbsCertificateDer tbsCertificate,
    boolean isOnHold) {}
