package org.sluiceca.core.plan;

import java.time.Instant;
import java.util.Optional;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.plan.lint.Lints;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.TbsCertificateDer;

/**
 * Judges a plan again that was recorded before, perhaps by another node: the lints of step 4 over
 * the same bytes, against the profile and the issuer of today. So whoever can write into the
 * database cannot have anything signed that this CA would not plan, and nothing is signed for an
 * issuer that was given another key meanwhile. Thread-safe.
 */
public final class Recheck {

  private final ProfileCatalog profiles;
  private final IssuerCatalog issuers;

  public Recheck(ProfileCatalog profiles, IssuerCatalog issuers) {
    this.profiles = profiles;
    this.issuers = issuers;
  }

  /** What the ledger kept of a plan: the bytes, and what stands beside them. */
  public record RecordedPlan(
      TbsCertificateDer tbsCertificate,
      SerialNumber serialNumber,
      SignatureAlgorithm signatureAlgorithm,
      ProfileName profile,
      IssuerName issuer) {}

  /** Returns why the plan must not be signed at {@code now}, or empty. */
  public Optional<String> fault(RecordedPlan plan, Instant now) {
    Optional<CertificateProfile> profile = profiles.find(plan.profile());
    Optional<Issuer> issuer = issuers.find(plan.issuer());
    if (profile.isEmpty() || issuer.isEmpty()) {
      return Optional.of("its profile or issuer is no longer here");
    }
    if (!profile.get().issuer().equals(plan.issuer())) {
      return Optional.of("its profile now belongs to another issuer");
    }
    if (plan.signatureAlgorithm() != issuer.get().signatureAlgorithm()) {
      return Optional.of("its issuer signs with another algorithm");
    }
    try {
      Lints.check(plan.tbsCertificate(), issuer.get().side(), profile.get(), now);
      OctetString serial = CertificateReader.read(plan.tbsCertificate()).serialNumber();
      return serial.equals(OctetString.copyOf(plan.serialNumber().octets()))
          ? Optional.empty()
          : Optional.of("its bytes carry another serial number");
    } catch (RejectedException e) {
      return Optional.of(e.rejection().detail());
    } catch (DerException e) {
      return Optional.of(e.fault());
    }
  }
}
