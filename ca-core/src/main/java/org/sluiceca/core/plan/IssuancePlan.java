package org.sluiceca.core.plan;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
  private final Departures departures;

  /**
   * Where the plan departs from what was asked, as the profile says it may.
   *
   * @param overridden OIDs of requested extensions and subject attributes that the profile decided
   *     instead
   * @param clamped the notAfter that the profile wanted and the issuer's end, which stands there
   */
  public record Departures(List<String> overridden, Optional<Clamped> clamped) {
    public Departures {
      overridden = List.copyOf(overridden);
    }
  }

  /** A notAfter that gave way to the issuer's. */
  public record Clamped(Instant wanted, Instant notAfter) {}

  IssuancePlan(
      AuthorizedRequest authorized,
      SerialNumber serialNumber,
      SignatureAlgorithm signatureAlgorithm,
      TbsCertificateDer tbsCertificate,
      Departures departures) {
    this.authorized = authorized;
    this.serialNumber = serialNumber;
    this.signatureAlgorithm = signatureAlgorithm;
    this.tbsCertificate = tbsCertificate;
    this.departures = departures;
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

  /** Returns where the plan is not what was asked. */
  public Departures departures() {
    return departures;
  }
}
