package org.sluiceca.core.plan;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.CsrReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.naming.ReservedNames;
import org.sluiceca.core.plan.lint.Lints;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.TbsCertificateDer;

/**
 * Judges a plan again that was recorded before, perhaps by another node: the lints of step 4 over
 * the same bytes, against the issuer of today and the profile of the version that it was planned
 * under, or of today if that version is not here. So a row that was written without passing the
 * line is not signed if a lint finds a fault, and nothing is signed for an issuer that has been
 * given another key meanwhile. Not judged again: weak keys, what came from templates and from the
 * requester, and which http URIs stand there; for that the database is trusted (docs/SECURITY.md).
 * Thread-safe.
 */
public final class Recheck {

  private final ProfileCatalog profiles;
  private final IssuerCatalog issuers;
  private final Supplier<ReservedNames> reserved;

  /** Judges without reserved names. */
  public Recheck(ProfileCatalog profiles, IssuerCatalog issuers) {
    this(profiles, issuers, () -> ReservedNames.NONE);
  }

  /**
   * Judges by today's reserved names as well: a name may have become reserved after the plan.
   *
   * @param reserved what is reserved now; must not block
   */
  public Recheck(ProfileCatalog profiles, IssuerCatalog issuers, Supplier<ReservedNames> reserved) {
    this.profiles = profiles;
    this.issuers = issuers;
    this.reserved = reserved;
  }

  /** What the ledger kept of a plan: the bytes, and what is recorded with them. */
  public record RecordedPlan(
      RequesterId requester,
      TbsCertificateDer tbsCertificate,
      SerialNumber serialNumber,
      SignatureAlgorithm signatureAlgorithm,
      ProfileName profile,
      OptionalInt profileVersion,
      IssuerName issuer) {}

  /**
   * Returns whether the profile of the version under which the plan was made is here. If not, a
   * fault may only mean that today's version is stricter.
   */
  public boolean knowsVersion(RecordedPlan plan) {
    return plan.profileVersion().isEmpty()
        || profiles.find(plan.profile(), plan.profileVersion().getAsInt()).isPresent();
  }

  /** The profile of the plan's version; without that version here, today's. */
  private Optional<CertificateProfile> profileOf(RecordedPlan plan) {
    Optional<CertificateProfile> own =
        plan.profileVersion().isPresent()
            ? profiles.find(plan.profile(), plan.profileVersion().getAsInt())
            : Optional.empty();
    return own.or(() -> profiles.find(plan.profile()));
  }

  /** Returns why the plan must not be signed at {@code now}, or empty. */
  public Optional<String> fault(RecordedPlan plan, Instant now) {
    Optional<CertificateProfile> profile = profileOf(plan);
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
      TbsCertificate certificate = CertificateReader.read(plan.tbsCertificate());
      if (!certificate.serialNumber().equals(OctetString.copyOf(plan.serialNumber().octets()))) {
        return Optional.of("its bytes carry another serial number");
      }
      return reserved
          .get()
          .refusal(plan.requester(), certificate.subject(), subjectAltNames(certificate));
    } catch (RejectedException e) {
      return Optional.of(e.rejection().detail());
    } catch (DerException e) {
      return Optional.of(e.fault());
    }
  }

  private static List<GeneralName> subjectAltNames(TbsCertificate certificate) throws DerException {
    Optional<Extension> extension = certificate.extension(ExtensionOids.SUBJECT_ALT_NAME);
    return extension.isPresent() ? CsrReader.subjectAltNames(extension.get()) : List.of();
  }
}
