package org.sluiceca.core.plan;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.sluiceca.core.csr.VerifiedCsr;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.der.TbsCertificateWriter;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.plan.Issuer.Publications;
import org.sluiceca.core.plan.lint.Lints;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ExtensionPolicy;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;
import org.sluiceca.core.x509.TbsCertificateDer;
import org.sluiceca.core.x509.Validity;

/**
 * Step 4, plan: applies the profile and fixes every byte of the certificate; the lints judge those
 * very bytes. Thread-safe.
 */
public final class Planner {

  private final IssuerCatalog issuers;
  private final SerialNumbers serialNumbers;
  private final InstantSource clock;

  public Planner(IssuerCatalog issuers, SerialNumbers serialNumbers, InstantSource clock) {
    this.issuers = issuers;
    this.serialNumbers = serialNumbers;
    this.clock = clock;
  }

  /** Plans the certificate for a verified request. */
  public IssuancePlan plan(VerifiedCsr verified) throws RejectedException {
    CertificateProfile profile = verified.authorized().profile();
    Issuer issuer =
        issuers
            .find(profile.issuer())
            .orElseThrow(
                () ->
                    new RejectedException(
                        Reason.PROFILE_VIOLATION,
                        "issuer %s of profile %s is not active here"
                            .formatted(profile.issuer(), profile.name())));
    Instant now = clock.instant();
    ExtensionPolicy extensionPolicy = profile.content().extensions();
    RequestedExtensions requested =
        RequestedExtensions.read(verified.csr().extensions(), extensionPolicy);
    DistinguishedName subject = profile.content().subject().check(verified.csr().subject());
    List<GeneralName> names =
        profile.content().subjectAltName().check(requested.subjectAltNames(), subject);
    if (subject.isEmpty() && names.isEmpty()) {
      throw new RejectedException(
          Reason.NAME_NOT_ALLOWED, "the request names nobody: no subject, no subjectAltName");
    }
    Validity validity = profile.content().validity().periodAt(now, issuer.validity());
    SerialNumber serialNumber = serialNumbers.next(validity.notAfter());
    SubjectPublicKeyInfo key = verified.csr().subjectPublicKeyInfo();
    TbsCertificateDer tbs =
        TbsCertificateWriter.write(
            new TbsCertificate(
                OctetString.copyOf(serialNumber.octets()),
                issuer.signatureAlgorithm(),
                issuer.subject(),
                validity,
                NameCodec.write(subject),
                key,
                extensions(extensionPolicy, issuer, key, names, subject.isEmpty())));
    Lints.check(tbs, issuer.side(), profile, now);
    return new IssuancePlan(
        verified.authorized(),
        serialNumber,
        issuer.signatureAlgorithm(),
        tbs,
        requested.overridden());
  }

  private static List<Extension> extensions(
      ExtensionPolicy policy,
      Issuer issuer,
      SubjectPublicKeyInfo key,
      List<GeneralName> names,
      boolean isSubjectEmpty) {
    List<Extension> extensions = new ArrayList<>();
    extensions.add(Extensions.basicConstraints(policy.isCa(), policy.pathLen()));
    extensions.add(Extensions.keyUsage(policy.keyUsage()));
    if (!policy.extendedKeyUsage().isEmpty()) {
      extensions.add(Extensions.extendedKeyUsage(policy.extendedKeyUsage()));
    }
    extensions.add(Extensions.subjectKeyIdentifier(KeyIdentifiers.of(key).octets()));
    extensions.add(Extensions.authorityKeyIdentifier(issuer.keyIdentifier().octets()));
    if (!names.isEmpty()) {
      extensions.add(Extensions.subjectAltName(names, isSubjectEmpty));
    }
    issuer.publications().ifPresent(p -> extensions.addAll(published(policy, p)));
    if (policy.revocation() == ExtensionPolicy.Revocation.NEVER_AVAILABLE) {
      extensions.add(Extensions.noRevocationAvailable());
    }
    return extensions;
  }

  private static List<Extension> published(ExtensionPolicy policy, Publications publications) {
    return switch (policy.revocation()) {
      case CRL ->
          List.of(
              Extensions.authorityInformationAccess(publications.caIssuersUri()),
              Extensions.crlDistributionPoint(publications.crlUri()));
      case NEVER_AVAILABLE ->
          List.of(Extensions.authorityInformationAccess(publications.caIssuersUri()));
      case UNSTATED -> List.of();
    };
  }
}
