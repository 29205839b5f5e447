package org.sluiceca.core.plan.lint;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.plan.lint.RawCertificate.RawExtension;
import org.sluiceca.core.x509.CertificatePolicy;

/** Policies are the profile's, each once, with qualifiers as a relying party reads them. */
final class CertificatePoliciesLint extends Lint {

  private static final String CPS = "1.3.6.1.5.5.7.2.1";
  private static final String USER_NOTICE = "1.3.6.1.5.5.7.2.2";

  CertificatePoliciesLint() {
    super("certificate_policies", "RFC 5280 4.2.1.4; RFC 6818 3", LocalDate.of(2013, 1, 1));
  }

  @Override
  Optional<String> fault(PlannedCertificate planned) throws MalformedException {
    List<CertificatePolicy> wanted =
        planned.profile().content().extensions().additions().policies();
    Optional<RawExtension> extension = planned.raw().extension(ExtensionOids.CERTIFICATE_POLICIES);
    List<CertificatePolicy> found = new ArrayList<>();
    if (extension.isPresent()) {
      DerElement value = extension.get().value().demand(DerElement.SEQUENCE, "certificatePolicies");
      for (DerElement policy : value.children()) {
        found.add(policy(policy.demand(DerElement.SEQUENCE, "a policy")));
      }
      if (found.isEmpty()) {
        return Optional.of("certificatePolicies without a policy");
      }
    }
    if (found.size() > 1
        && found.stream().map(CertificatePolicy::oid).distinct().count() < found.size()) {
      return Optional.of("a certificate policy twice");
    }
    return found.equals(wanted)
        ? Optional.empty()
        : Optional.of("certificatePolicies are not the profile's");
  }

  private static CertificatePolicy policy(DerElement policy) throws MalformedException {
    List<DerElement> parts = policy.children();
    if (parts.isEmpty() || parts.size() > 2) {
      throw new MalformedException("a policy of " + parts.size() + " parts");
    }
    Optional<String> cpsUri = Optional.empty();
    Optional<String> userNotice = Optional.empty();
    if (parts.size() == 2) {
      List<DerElement> qualifiers =
          parts.get(1).demand(DerElement.SEQUENCE, "policyQualifiers").children();
      if (qualifiers.isEmpty()) {
        throw new MalformedException("policyQualifiers without one");
      }
      for (DerElement qualifier : qualifiers) {
        List<DerElement> pair = qualifier.demand(DerElement.SEQUENCE, "a qualifier").children();
        if (pair.size() != 2) {
          throw new MalformedException("a qualifier of " + pair.size() + " parts");
        }
        switch (pair.get(0).oid()) {
          case CPS ->
              cpsUri =
                  Optional.of(pair.get(1).demand(DerElement.IA5_STRING, "cPSuri").ascii("cPSuri"));
          case USER_NOTICE ->
              userNotice =
                  Optional.of(
                      pair.get(1)
                          .demand(DerElement.SEQUENCE, "userNotice")
                          .only(DerElement.UTF8_STRING, "explicitText")
                          .utf8("explicitText"));
          default -> throw new MalformedException("an unknown policy qualifier");
        }
      }
    }
    try {
      return new CertificatePolicy(parts.get(0).oid(), cpsUri, userNotice);
    } catch (IllegalArgumentException e) {
      throw new MalformedException(String.valueOf(e.getMessage()));
    }
  }
}
