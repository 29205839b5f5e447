package org.sluiceca.core.plan.lint;

import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.sluiceca.core.der.CsrReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.profile.DnsNames;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.GeneralName;

/** A subjectAltName has names, and its DNS names have DNS's syntax. */
final class SubjectAltNameLint implements Lint {

  @Override
  public String name() {
    return "subject_alt_name";
  }

  @Override
  public String citation() {
    return "RFC 5280 4.2.1.6";
  }

  @Override
  public LocalDate effective() {
    return LocalDate.of(2008, 5, 1);
  }

  @Override
  public Optional<String> fault(PlannedCertificate planned) throws DerException {
    Optional<Extension> extension = planned.tbs().extension(ExtensionOids.SUBJECT_ALT_NAME);
    if (extension.isEmpty()) {
      return Optional.empty();
    }
    List<GeneralName> names = CsrReader.subjectAltNames(extension.get());
    if (names.isEmpty()) {
      return Optional.of("subjectAltName without a name");
    }
    for (GeneralName name : names) {
      if (name instanceof GeneralName.Dns dns
          && !DnsNames.isHostName(dns.name())
          && !DnsNames.isWildcard(dns.name())) {
        return Optional.of("a dNSName is not in the preferred name syntax");
      }
    }
    return Optional.empty();
  }
}
