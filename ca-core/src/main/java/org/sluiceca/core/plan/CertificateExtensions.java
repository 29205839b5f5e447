package org.sluiceca.core.plan;

import java.util.ArrayList;
import java.util.List;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.naming.RequestFacts;
import org.sluiceca.core.plan.Issuer.Publications;
import org.sluiceca.core.profile.AddedExtension;
import org.sluiceca.core.profile.ExtensionPolicy;
import org.sluiceca.core.profile.ExtensionPolicy.Additions;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/** Chooses the extensions of a certificate, in the order in which they stand there. */
final class CertificateExtensions {

  private CertificateExtensions() {}

  static List<Extension> of(
      ExtensionPolicy policy,
      Issuer issuer,
      SubjectPublicKeyInfo key,
      List<GeneralName> names,
      boolean isSubjectEmpty,
      RequestFacts facts,
      SerialNumber serialNumber)
      throws RejectedException {
    Additions additions = policy.additions();
    List<Extension> extensions = new ArrayList<>(12);
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
    if (!additions.policies().isEmpty()) {
      extensions.add(Extensions.certificatePolicies(additions.policies()));
    }
    if (!additions.nameConstraints().isEmpty()) {
      extensions.add(Extensions.nameConstraints(additions.nameConstraints()));
    }
    issuer.publications().ifPresent(p -> extensions.addAll(published(policy, p, serialNumber)));
    if (policy.revocation() == ExtensionPolicy.Revocation.NEVER_AVAILABLE) {
      extensions.add(Extensions.noRevocationAvailable());
    }
    if (additions.isOcspNoCheck()) {
      extensions.add(Extensions.ocspNoCheck());
    }
    for (AddedExtension other : additions.others()) {
      extensions.add(other.extension(facts));
    }
    return extensions;
  }

  private static List<Extension> published(
      ExtensionPolicy policy, Publications publications, SerialNumber serialNumber) {
    return switch (policy.revocation()) {
      case CRL ->
          List.of(
              Extensions.authorityInformationAccess(
                  publications.caIssuersUri(), publications.ocspUri()),
              Extensions.crlDistributionPoint(publications.crlUri(serialNumber)));
      // RFC 9608 4: no pointer to revocation information, OCSP among it.
      case NEVER_AVAILABLE ->
          List.of(Extensions.authorityInformationAccess(publications.caIssuersUri()));
      case UNSTATED -> List.of();
    };
  }
}
