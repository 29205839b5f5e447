package org.sluiceca.core.plan;

import java.util.List;
import org.sluiceca.core.profile.AuthorizedRequest;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.TbsCertificateDer;

/**
 * The exact certificate to be signed, which has passed every policy and lint. Minted by {@link
 * Planner} only.
 */
public final class IssuancePlan {

  private final AuthorizedRequest authorized;
  private final SerialNumber serialNumber;
  private final SignatureAlgorithm signatureAlgorithm;
  private final TbsCertificateDer tbsCertificate;
  private final List<String> overriddenExtensions;

  IssuancePlan(
      AuthorizedRequest authorized,
      SerialNumber serialNumber,
      SignatureAlgorithm signatureAlgorithm,
      TbsCertificateDer tbsCertificate,
      List<String> overriddenExtensions) {
    this.authorized = authorized;
    this.serialNumber = serialNumber;
    this.signatureAlgorithm = signatureAlgorithm;
    this.tbsCertificate = tbsCertificate;
    this.overriddenExtensions = List.copyOf(overriddenExtensions);
  }

  /** Returns the request that is planned. */
  public AuthorizedRequest authorized() {
    return authorized;
  }

  /** Returns the serial number in the plan. */
  public SerialNumber serialNumber() {
    return serialNumber;
  }

  /** Returns the algorithm that the plan names and the issuer will sign with. */
  public SignatureAlgorithm signatureAlgorithm() {
    return signatureAlgorithm;
  }

  /** Returns the bytes to be signed. */
  public TbsCertificateDer tbsCertificate() {
    return tbsCertificate;
  }

  /** Returns the OIDs of requested extensions whose content the profile decided instead. */
  public List<String> overriddenExtensions() {
    return overriddenExtensions;
  }
}
