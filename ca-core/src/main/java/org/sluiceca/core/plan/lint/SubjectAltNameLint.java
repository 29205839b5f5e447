package org.sluiceca.core.plan.lint;

import java.util.List;
import java.util.Optional;
import org.sluiceca.core.der.CsrReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.GeneralName;

/** The subjectAltName holds exactly names that the profile allows. */
final class SubjectAltNameLint extends Lint {

  SubjectAltNameLint() {
    super("subject_alt_name", "RFC 5280 4.2.1.6", RFC_5280);
  }

  @Override
  Optional<String> fault(PlannedCertificate planned) throws DerException {
    Optional<Extension> extension = planned.tbs().extension(ExtensionOids.SUBJECT_ALT_NAME);
    List<GeneralName> names =
        extension.isPresent() ? CsrReader.subjectAltNames(extension.get()) : List.of();
    try {
      List<GeneralName> allowed =
          planned.profile().content().subjectAltName().check(names, planned.subject());
      return allowed.equals(names)
          ? Optional.empty()
          : Optional.of("a name that the profile demands is missing, or a name stands there twice");
    } catch (RejectedException e) {
      return Optional.of(e.rejection().detail());
    }
  }
}
