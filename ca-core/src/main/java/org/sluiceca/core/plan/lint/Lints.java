package org.sluiceca.core.plan.lint;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.x509.TbsCertificateDer;

/** Runs every lint over a planned certificate. Thread-safe. */
public final class Lints {

  static final List<Lint> ALL =
      List.of(
          new SerialNumberLint(),
          new SignatureAlgorithmLint(),
          new IssuerNameLint(),
          new ValidityLint(),
          new ValidityEncodingLint(),
          new SubjectLint(),
          new SubjectEncodingLint(),
          new PublicKeyLint(),
          new BasicConstraintsLint(),
          new IssuerPathLengthLint(),
          new KeyUsageLint(),
          new ExtendedKeyUsageLint(),
          new KeyIdentifierLint(),
          new SubjectAltNameLint(),
          new SubjectAltNameSyntaxLint(),
          new IssuerNameConstraintsLint(),
          new NameConstraintsLint(),
          new CertificatePoliciesLint(),
          new RevocationLint(),
          new AuthorityInformationAccessLint(),
          new CrlDistributionPointsLint(),
          new OcspNoCheckLint(),
          new AddedExtensionsLint(),
          new ExtensionsLint(),
          new CriticalityLint());

  /** The name under which a certificate that does not parse is refused. */
  static final String WELL_FORMED = "well_formed";

  /**
   * A rule that was in effect when this was written is in effect whatever the clock says: an early
   * clock can postpone a coming rule, never suspend one.
   */
  private static final LocalDate WRITTEN = LocalDate.of(2026, 11, 21);

  /** The fault that one lint found. */
  record Fault(String lint, String text, String citation) {}

  private Lints() {}

  /**
   * Parses the bytes back and judges them.
   *
   * @param now decides which coming lints are in effect
   * @throws RejectedException with the name and citation of the first lint that fails
   */
  public static void check(
      TbsCertificateDer tbs, IssuerSide issuer, CertificateProfile profile, Instant now)
      throws RejectedException {
    try {
      PlannedCertificate planned = read(tbs, issuer, profile, now);
      for (Lint lint : ALL) {
        Optional<String> fault =
            isInEffect(lint.effective(), now) ? lint.fault(planned) : Optional.empty();
        if (fault.isPresent()) {
          throw rejection(new Fault(lint.name(), fault.get(), lint.citation()));
        }
      }
    } catch (DerException e) {
      throw rejection(malformed(e.fault()));
    } catch (MalformedException e) {
      throw rejection(malformed(e.fault()));
    }
  }

  /** Returns how many lints judge a certificate. */
  public static int count() {
    return ALL.size();
  }

  /** Returns every fault, where {@link #check} stops at the first; for tests of the lints. */
  static List<Fault> faults(
      TbsCertificateDer tbs, IssuerSide issuer, CertificateProfile profile, Instant now) {
    List<Fault> faults = new ArrayList<>();
    try {
      PlannedCertificate planned = read(tbs, issuer, profile, now);
      for (Lint lint : ALL) {
        try {
          lint.fault(planned)
              .ifPresent(f -> faults.add(new Fault(lint.name(), f, lint.citation())));
        } catch (DerException e) {
          faults.add(new Fault(lint.name(), e.fault(), lint.citation()));
        } catch (MalformedException e) {
          faults.add(new Fault(lint.name(), e.fault(), lint.citation()));
        }
      }
    } catch (DerException e) {
      faults.add(malformed(e.fault()));
    } catch (MalformedException e) {
      faults.add(malformed(e.fault()));
    }
    return faults;
  }

  /** Returns whether a rule that holds from {@code effective} holds at {@code now}. */
  static boolean isInEffect(LocalDate effective, Instant now) {
    return !effective.isAfter(WRITTEN)
        || !effective.isAfter(LocalDate.ofInstant(now, ZoneOffset.UTC));
  }

  private static PlannedCertificate read(
      TbsCertificateDer tbs, IssuerSide issuer, CertificateProfile profile, Instant now)
      throws DerException, MalformedException {
    return new PlannedCertificate(
        CertificateReader.read(tbs), RawCertificate.of(tbs), profile, issuer, now);
  }

  private static Fault malformed(String text) {
    return new Fault(WELL_FORMED, text, "RFC 5280 4.1; X.690");
  }

  private static RejectedException rejection(Fault fault) {
    return new RejectedException(
        Reason.LINT,
        String.format(Locale.ROOT, "%s: %s (%s)", fault.lint(), fault.text(), fault.citation()));
  }
}
