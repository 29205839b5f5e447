package org.sluiceca.core.plan.lint;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.plan.lint.PlannedCertificate.IssuerSide;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.x509.TbsCertificateDer;

/** Runs every lint over a planned certificate. Thread-safe. */
public final class Lints {

  private static final List<Lint> ALL =
      List.of(
          new SerialNumberLint(),
          new SignatureAlgorithmLint(),
          new IssuerNameLint(),
          new ValidityLint(),
          new SubjectLint(),
          new PublicKeyLint(),
          new BasicConstraintsLint(),
          new KeyUsageLint(),
          new ExtendedKeyUsageLint(),
          new KeyIdentifierLint(),
          new SubjectAltNameLint(),
          new RevocationLint(),
          new ExtensionsLint());

  private Lints() {}

  /**
   * Parses the bytes back and judges them.
   *
   * @param now decides which lints are in effect
   * @throws RejectedException with the name and citation of the first lint that fails
   */
  public static void check(
      TbsCertificateDer tbs, IssuerSide issuer, CertificateProfile profile, Instant now)
      throws RejectedException {
    LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
    try {
      PlannedCertificate planned =
          new PlannedCertificate(CertificateReader.read(tbs), profile, issuer, now);
      for (Lint lint : ALL) {
        Optional<String> fault =
            lint.effective().isAfter(today) ? Optional.empty() : lint.fault(planned);
        if (fault.isPresent()) {
          throw new RejectedException(
              Reason.LINT, "%s: %s (%s)".formatted(lint.name(), fault.get(), lint.citation()));
        }
      }
    } catch (DerException e) {
      throw new RejectedException(Reason.LINT, "well_formed: " + e.fault());
    }
  }
}
